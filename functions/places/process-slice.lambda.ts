import { placeStore } from '../../shared/places/place-store.ts';
import { removalStore } from '../../shared/places/removal-store.ts';
import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { workerDeps } from '../../shared/queues/worker-deps.ts';
import { processSlice } from './process-slice.ts';

const stores = { places: placeStore, sessions: syncSessionStore, removals: removalStore };
export const handler = processSlice(workerDeps(stores));
