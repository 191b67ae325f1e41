import { type RecipientStore, recipientStore } from '../push/recipient-store.ts';
import type { Clock } from '../runtime/clock.ts';
import { readEnv } from '../runtime/env.ts';
import type { Table } from '../table/table.ts';
import { phoneStore } from './phone-store.ts';

/** Whom messages reach on this stage (WALLET): partners have phones of their own where the wallet is simulated. */
export function stageRecipients(table: Table, clock: Clock): RecipientStore {
  if (readEnv('WALLET').WALLET !== 'simulated') return recipientStore(table);
  const phones = phoneStore(table);
  return recipientStore(table, (partnerId) => phones.numbers(partnerId, clock.now()));
}
