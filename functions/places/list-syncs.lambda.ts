import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { listSyncs } from './list-syncs.ts';

export const handler = listSyncs(endpointDeps({ sessions: syncSessionStore }));
