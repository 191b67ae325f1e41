import { httpDeps } from '../../platform/http/http-handler.ts';
import { messageStore } from '../message-store.ts';
import { stageRecipients } from '../recipient-store.ts';
import { presentRate } from './admission.ts';
import { rateWindow } from './rate-window.ts';

/** The dependencies of a function that sends. */
export function sendDeps() {
  const deps = httpDeps({ messages: messageStore, rate: rateWindow, recipients: stageRecipients });
  return { ...deps, currentHeaders: presentRate(deps.rate) };
}
