import { logByDefault } from '../../shared/callbacks/endpoint/endpoint.ts';
import { setEndpoint } from '../../shared/callbacks/endpoint/settings.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/store.ts';
import { addressPolicy } from '../../shared/platform/egress/public-address.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { putEndpoint } from './put-endpoint.ts';

const deps = endpointDeps({ endpoints: endpointStore });
const env = readEnv('CALLBACK_ADDRESSES', 'WALLET');
const addresses = addressPolicy(env.CALLBACK_ADDRESSES);
const set = setEndpoint({ ...deps, addresses });
export const handler = putEndpoint({ ...deps, set, logByDefault: logByDefault(env.WALLET) });
