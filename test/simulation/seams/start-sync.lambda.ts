import { startSync } from '../../../functions/places/start-sync.ts';
import { endpointDeps } from '../../../shared/http/endpoint-deps.ts';
import { offerLock } from '../../../shared/places/offer-lock.ts';
import { syncSessionStore } from '../../../shared/places/sync-session-store.ts';
import { connectQueue } from '../../../shared/queues/queue.ts';
import { readEnv } from '../../../shared/runtime/env.ts';

const { table, ...deps } = endpointDeps();

/** As deployed, but with slices so small that a short list has several. */
export const handler = startSync({
  ...deps,
  offerLock: offerLock(table, deps.clock),
  sessions: syncSessionStore(table),
  queue: connectQueue(readEnv('PLACES_QUEUE_URL').PLACES_QUEUE_URL),
  sliceLimit: { places: 6, bytes: 700_000 },
});
