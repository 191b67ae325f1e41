import { callbackArchive } from '../../shared/callbacks/callback-archive.ts';
import { logByDefault } from '../../shared/callbacks/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint-store.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { getEndpoint } from './get-endpoint.ts';

const deps = endpointDeps({ endpoints: endpointStore, archive: callbackArchive });
export const handler = getEndpoint({ ...deps, logByDefault: logByDefault(readEnv('WALLET').WALLET) });
