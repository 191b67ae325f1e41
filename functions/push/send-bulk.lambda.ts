import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { rateWindow } from '../../shared/push/rate-window.ts';
import { recipientStore } from '../../shared/push/recipient-store.ts';
import { sendBulk } from './send-bulk.ts';

const { table, ...deps } = endpointDeps();
const recipients = recipientStore(table);
const messages = messageStore(table);
export const handler = sendBulk({ ...deps, recipients, messages, rate: rateWindow(table, deps.clock) });
