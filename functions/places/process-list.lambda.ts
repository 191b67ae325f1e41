import { listContentStore } from '../../shared/places/list-content-store.ts';
import { placeStore } from '../../shared/places/place-store.ts';
import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { workerDeps } from '../../shared/platform/queues/worker-deps.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { processList } from './process-list.ts';

const stores = { contents: listContentStore, places: placeStore, sessions: syncSessionStore };
export const handler = processList({
  ...workerDeps(stores),
  queue: connectQueue(readEnv('PLACES_QUEUE_URL').PLACES_QUEUE_URL),
});
