import * as z from 'zod/mini';
import { recipientKey } from '../table/keys.ts';
import { readAll } from '../table/read-all.ts';
import type { Table } from '../table/table.ts';
import { writeAll } from '../table/write-all.ts';

const Row = z.object({ msisdn: z.number() });

/** Phone numbers registered with the wallet, a row each. */
export function recipientStore(table: Table) {
  return {
    /** The registered ones among the numbers, which must be distinct. */
    registeredAmong: async (msisdns: readonly number[]): Promise<Set<number>> => {
      const rows = await readAll(table, msisdns.map(recipientKey));
      return new Set(
        z
          .array(Row)
          .parse(rows)
          .map(({ msisdn }) => msisdn),
      );
    },

    /** No number may be in the lists twice. */
    update: async (change: {
      registered: readonly number[];
      unregistered: readonly number[];
    }): Promise<void> => {
      await writeAll(table, [
        ...change.registered.map((msisdn) => ({ put: { ...recipientKey(msisdn), msisdn } })),
        ...change.unregistered.map((msisdn) => ({ delete: recipientKey(msisdn) })),
      ]);
    },
  };
}

export type RecipientStore = ReturnType<typeof recipientStore>;
