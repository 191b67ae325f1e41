import { endpointStore } from '../../shared/callbacks/endpoint-store.ts';
import { addressPolicy } from '../../shared/callbacks/public-address.ts';
import { setEndpoint } from '../../shared/callbacks/set-endpoint.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { readEnv } from '../../shared/runtime/env.ts';
import { putEndpoint } from './put-endpoint.ts';

const { table, ...deps } = endpointDeps();
const addresses = addressPolicy(readEnv('CALLBACK_ADDRESSES').CALLBACK_ADDRESSES);
const endpoints = endpointStore(table);
export const handler = putEndpoint({ ...deps, set: setEndpoint({ ...deps, endpoints, addresses }) });
