import { endpointStore } from '../../shared/callbacks/endpoint/store.ts';
import { callbackTests } from '../../shared/callbacks/endpoint/test-limit.ts';
import { guardedClient } from '../../shared/platform/egress/guarded-client.ts';
import { addressPolicy } from '../../shared/platform/egress/public-address.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { testCallback } from './test-callback.ts';

const deps = endpointDeps({ endpoints: endpointStore, tests: callbackTests });
const addresses = addressPolicy(readEnv('CALLBACK_ADDRESSES').CALLBACK_ADDRESSES);
export const handler = testCallback({ ...deps, addresses, client: guardedClient(addresses) });
