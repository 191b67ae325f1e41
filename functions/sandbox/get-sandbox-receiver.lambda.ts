import { receiverStore } from '../../shared/callbacks/receiver-store.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { getSandboxReceiver } from './get-sandbox-receiver.ts';

const { table, ...deps } = endpointDeps();
export const handler = getSandboxReceiver({ ...deps, receivers: receiverStore(table) });
