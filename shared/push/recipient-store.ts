import * as z from 'zod/mini';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnv } from '../platform/runtime/env.ts';
import { readAll, writeAll } from '../platform/table/batches.ts';
import { recipientKey } from '../platform/table/row-keys/push.ts';
import type { Table } from '../platform/table/table.ts';
import { ownPhones } from './own-phones.ts';

const Row = z.object({ msisdn: z.number() });

/** Phone numbers registered with the wallet, a row each. Those of `phonesOf` are registered for one partner only. */
export function recipientStore(table: Table, phonesOf?: ReturnType<typeof ownPhones>) {
  return {
    /** The numbers, which must be distinct, that messages of the partner reach. */
    registeredAmong: async (msisdns: readonly number[], partnerId: string): Promise<ReadonlySet<number>> => {
      const rows = await readAll(table, msisdns.map(recipientKey));
      const registered = new Set(rows.map((row) => Row.parse(row).msisdn));
      if (!phonesOf || registered.size === msisdns.length) return registered;
      const own = await phonesOf(partnerId, systemClock.now());
      return new Set(msisdns.filter((msisdn) => registered.has(msisdn) || own.has(msisdn)));
    },

    /** No number may be in the lists twice. */
    update: async (change: Record<'registered' | 'unregistered', readonly number[]>): Promise<void> => {
      await writeAll(table, [
        ...change.registered.map((msisdn) => ({ put: { ...recipientKey(msisdn), msisdn } })),
        ...change.unregistered.map((msisdn) => ({ delete: recipientKey(msisdn) })),
      ]);
    },
  };
}

export type RecipientStore = ReturnType<typeof recipientStore>;

/** The recipients that messages reach on this stage: also phones of the partner's own, if the wallet is simulated (WALLET). */
export function stageRecipients(table: Table): RecipientStore {
  return recipientStore(table, readEnv('WALLET') === 'simulated' ? ownPhones(table) : undefined);
}
