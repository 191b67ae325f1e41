import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { offerLock } from '../../shared/places/offer-lock.ts';
import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { listSyncs } from './list-syncs.ts';

const { table, ...deps } = endpointDeps();
export const handler = listSyncs({
  ...deps,
  offerLock: offerLock(table, deps.clock),
  sessions: syncSessionStore(table),
});
