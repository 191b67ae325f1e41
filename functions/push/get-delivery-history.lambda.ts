import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { getDeliveryHistory } from './get-delivery-history.ts';

const { table, ...deps } = endpointDeps();
const messages = messageStore(table);
const states = deliveryStateStore(table);
export const handler = getDeliveryHistory({ ...deps, messages, states });
