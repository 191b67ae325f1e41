import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { rateWindow } from '../../shared/push/rate-window.ts';
import { recipientStore } from '../../shared/push/recipient-store.ts';
import { sendMulti } from './send-multi.ts';

const { table, ...deps } = endpointDeps();
const recipients = recipientStore(table);
const messages = messageStore(table);
export const handler = sendMulti({ ...deps, recipients, messages, rate: rateWindow(table, deps.clock) });
