import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { listContentStore } from '../../shared/places/list-content-store.ts';
import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { connectQueue } from '../../shared/queues/queue.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { startSync } from './start-sync.ts';

export const handler = startSync({
  ...endpointDeps({ contents: listContentStore, sessions: syncSessionStore }),
  queue: connectQueue(readEnv('PLACES_QUEUE_URL').PLACES_QUEUE_URL),
});
