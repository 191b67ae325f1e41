import { callbackArchive } from '../../shared/callbacks/callback-archive.ts';
import { callbackList } from '../../shared/callbacks/callback-list.ts';
import { deliveredLog } from '../../shared/callbacks/delivered-log.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { listCallbacks } from './list-callbacks.ts';

const callbacks = { list: callbackList, archive: callbackArchive, delivered: deliveredLog };
const pushes = { messages: messageStore, states: deliveryStateStore };
export const handler = listCallbacks(endpointDeps({ ...callbacks, ...pushes }));
