import { logByDefault } from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/store.ts';
import { callbackList } from '../../shared/callbacks/listing/list.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { getEndpoint } from './get-endpoint.ts';

const deps = endpointDeps({ endpoints: endpointStore, list: callbackList });
export const handler = getEndpoint({ ...deps, logByDefault: logByDefault(readEnv('WALLET').WALLET) });
