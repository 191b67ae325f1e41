import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { receiverStore } from '../../shared/sandbox/receiver-store.ts';
import { putSandboxReceiver } from './put-sandbox-receiver.ts';

export const handler = putSandboxReceiver(endpointDeps({ receivers: receiverStore }));
