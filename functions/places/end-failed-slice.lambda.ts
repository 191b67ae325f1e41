import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { workerDeps } from '../../shared/queues/worker-deps.ts';
import { endFailedSlice } from './end-failed-slice.ts';

const { table, ...deps } = workerDeps();
export const handler = endFailedSlice({ ...deps, sessions: syncSessionStore(table) });
