import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { getSync } from './get-sync.ts';

const { table, ...deps } = endpointDeps();
export const handler = getSync({ ...deps, sessions: syncSessionStore(table) });
