import { callbackArchive } from '../../shared/callbacks/callback-archive.ts';
import { callbackList } from '../../shared/callbacks/callback-list.ts';
import { deliveredLog } from '../../shared/callbacks/delivered-log.ts';
import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { listCallbacks } from './list-callbacks.ts';

const { table, ...deps } = endpointDeps();
const of = { list: callbackList(table), archive: callbackArchive(table), delivered: deliveredLog(table) };
const pushes = { messages: messageStore(table), states: deliveryStateStore(table) };
export const handler = listCallbacks({ ...deps, ...of, ...pushes });
