import { deliveredLog } from '../../shared/callbacks/delivered-log.ts';
import { callbackList } from '../../shared/callbacks/listing/list.ts';
import { callbackStore } from '../../shared/callbacks/retries/store.ts';
import { endpointDeps } from '../../shared/platform/http/endpoint-deps.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { listCallbacks } from './list-callbacks.ts';

const stores = { list: callbackList, callbacks: callbackStore, delivered: deliveredLog };
const pushes = { messages: messageStore, states: deliveryStateStore };
export const handler = listCallbacks(endpointDeps({ ...stores, ...pushes }));
