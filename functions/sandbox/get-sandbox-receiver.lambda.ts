import { receiverStore } from '../../shared/callbacks/receiver-store.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { getSandboxReceiver } from './get-sandbox-receiver.ts';

export const handler = getSandboxReceiver(endpointDeps({ receivers: receiverStore }));
