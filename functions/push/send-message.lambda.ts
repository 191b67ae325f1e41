import { endpointDeps } from '../../shared/http/endpoint-deps.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { rateWindow } from '../../shared/push/rate-window.ts';
import { stageRecipients } from '../../shared/push/stage-recipients.ts';
import { sendMessage } from './send-message.ts';

const { table, ...deps } = endpointDeps();
const recipients = stageRecipients(table, deps.clock);
const messages = messageStore(table);
export const handler = sendMessage({ ...deps, recipients, messages, rate: rateWindow(table, deps.clock) });
