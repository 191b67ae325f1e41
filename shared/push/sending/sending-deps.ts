import { httpDeps } from '../../platform/http/http-handler.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import type { Table } from '../../platform/table/table.ts';
import { messageStore } from '../message-store.ts';
import type { RecipientStore } from '../recipient-store.ts';
import { rateWindow } from './rate-window.ts';

/** `recipientsOf` makes the store of the recipients that messages can reach on this stage. */
export function sendingDeps(recipientsOf: (table: Table, clock: Clock) => RecipientStore) {
  const deps = httpDeps({ messages: messageStore });
  const { table, clock } = deps;
  return { ...deps, recipients: recipientsOf(table, clock), rate: rateWindow(table, clock) };
}
