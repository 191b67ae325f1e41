import { endpointDeps } from '../http/endpoint-deps.ts';
import { messageStore } from './message-store.ts';
import { rateWindow } from './rate-window.ts';
import { stageRecipients } from './stage-recipients.ts';

/** The dependencies of the endpoints that send messages. */
export function sendingDeps() {
  const { table, ...deps } = endpointDeps();
  const recipients = stageRecipients(table, deps.clock);
  return { ...deps, recipients, messages: messageStore(table), rate: rateWindow(table, deps.clock) };
}
