import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { getSync } from './get-sync.ts';

export const handler = getSync(endpointDeps({ sessions: syncSessionStore }));
