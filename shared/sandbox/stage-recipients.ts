import { systemClock } from '../platform/runtime/clock.ts';
import { readEnv } from '../platform/runtime/env.ts';
import type { Table } from '../platform/table/table.ts';
import { type RecipientStore, recipientStore } from '../push/recipient-store.ts';
import { phoneStore } from './phone-store.ts';

/** The recipients that messages reach on this stage (WALLET): also test phones, if the wallet is simulated. */
export function stageRecipients(table: Table): RecipientStore {
  if (readEnv('WALLET') !== 'simulated') return recipientStore(table);
  const phones = phoneStore(table);
  return recipientStore(table, (partnerId) => phones.numbers(partnerId, systemClock.now()));
}
