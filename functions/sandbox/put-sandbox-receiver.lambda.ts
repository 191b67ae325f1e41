import { receiverStore } from '../../shared/callbacks/receiver-store.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { putSandboxReceiver } from './put-sandbox-receiver.ts';

const { table, ...deps } = endpointDeps();
export const handler = putSandboxReceiver({ ...deps, receivers: receiverStore(table) });
