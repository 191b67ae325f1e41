import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { getSync } from './get-sync.ts';

export const handler = getSync(endpointDeps({ sessions: syncSessionStore }));
