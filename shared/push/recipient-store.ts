import * as z from 'zod/mini';
import { recipientKey } from '../table/keys.ts';
import { readAll } from '../table/read-all.ts';
import type { Table } from '../table/table.ts';
import { writeAll } from '../table/write-all.ts';

const Row = z.object({ msisdn: z.number() });

/** Phone numbers that have the wallet: a row each, there or not. */
export function recipientStore(table: Table) {
  return {
    /** Those of the numbers (distinct) that are registered. */
    registeredAmong: async (msisdns: readonly number[]): Promise<Set<number>> => {
      const rows = await readAll(table, msisdns.map(recipientKey));
      return new Set(
        z
          .array(Row)
          .parse(rows)
          .map(({ msisdn }) => msisdn),
      );
    },

    /** Numbers must be distinct over both lists. */
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
