import { listContentStore } from '../../shared/places/list-content-store.ts';
import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { startSync } from './start-sync.ts';

export const handler = startSync({
  ...endpointDeps({ contents: listContentStore, sessions: syncSessionStore }),
  queue: connectQueue(readEnv('PLACES_QUEUE_URL').PLACES_QUEUE_URL),
});
