import { endpointDeps } from '../http/endpoint-deps.ts';
import { messageStore } from './message-store.ts';
import { rateWindow } from './rate-window.ts';
import { stageRecipients } from './stage-recipients.ts';

export function sendingDeps() {
  const deps = endpointDeps({ messages: messageStore });
  const { table, clock } = deps;
  return { ...deps, recipients: stageRecipients(table, clock), rate: rateWindow(table, clock) };
}
