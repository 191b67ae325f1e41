import { httpDeps } from '../../platform/http/http-handler.ts';
import { messageStore } from '../message-store.ts';
import { stageRecipients } from '../recipient-store.ts';
import { rateWindow } from './rate-window.ts';

/** The dependencies of a function that sends. */
export function sendDeps() {
  return httpDeps({ messages: messageStore, rate: rateWindow, recipients: stageRecipients });
}
