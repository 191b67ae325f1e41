import { syncSessionStore } from '../../shared/places/sync-session-store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { listSyncs } from './list-syncs.ts';

export const handler = listSyncs(endpointDeps({ sessions: syncSessionStore }));
