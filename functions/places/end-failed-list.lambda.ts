import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { workerDeps } from '../../shared/platform/queues/worker-deps.ts';
import { endFailedList } from './end-failed-list.ts';

export const handler = endFailedList(workerDeps({ sessions: syncSessionStore }));
