import type { Clock } from '../platform/runtime/clock.ts';
import { readEnv } from '../platform/runtime/env.ts';
import type { Table } from '../platform/table/table.ts';
import { type RecipientStore, recipientStore } from '../push/recipient-store.ts';
import { phoneStore } from './phone-store.ts';

/** Whom messages reach on this stage (WALLET): partners have phones of their own where the wallet is simulated. */
export function stageRecipients(table: Table, clock: Clock): RecipientStore {
  if (readEnv('WALLET').WALLET !== 'simulated') return recipientStore(table);
  const phones = phoneStore(table);
  return recipientStore(table, (partnerId) => phones.numbers(partnerId, clock.now()));
}
