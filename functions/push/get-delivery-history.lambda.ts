import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { getDeliveryHistory } from './get-delivery-history.ts';

export const handler = getDeliveryHistory(
  endpointDeps({ messages: messageStore, states: deliveryStateStore }),
);
