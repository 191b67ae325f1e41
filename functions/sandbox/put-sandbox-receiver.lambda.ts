import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { receiverStore } from '../../shared/sandbox/receiver-store.ts';
import { putSandboxReceiver } from './put-sandbox-receiver.ts';

export const handler = putSandboxReceiver(endpointDeps({ receivers: receiverStore }));
