import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { receiverStore } from '../../shared/sandbox/receiver-store.ts';
import { getSandboxReceiver } from './get-sandbox-receiver.ts';

export const handler = getSandboxReceiver(endpointDeps({ receivers: receiverStore }));
