import { receiverStore } from '../../shared/callbacks/receiver-store.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { putSandboxReceiver } from './put-sandbox-receiver.ts';

export const handler = putSandboxReceiver(endpointDeps({ receivers: receiverStore }));
