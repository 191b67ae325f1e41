import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { workerDeps } from '../../shared/queues/worker-deps.ts';
import { endFailedSlice } from './end-failed-slice.ts';

export const handler = endFailedSlice(workerDeps({ sessions: syncSessionStore }));
