import * as z from 'zod/mini';
import { createRow } from '../platform/table/condition.ts';
import { removalGuardKey } from '../platform/table/row-keys/places.ts';
import { deleteRow, readRow } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';

const Row = z.object({ storedBeforeHeld: z.int() });

/** How many points an offer had before the first of the lists whose removals are held. There is a row only while some are. */
export function removalGuardStore(table: Table) {
  return {
    storedBeforeHeld: async (offerId: string): Promise<number | undefined> => {
      const row = await readRow(table, removalGuardKey(offerId));
      return row && Row.parse(row).storedBeforeHeld;
    },

    /** Remembers the number, unless an earlier list is remembered. */
    remember: async (offerId: string, stored: number): Promise<void> => {
      await createRow(table, { ...removalGuardKey(offerId), storedBeforeHeld: stored });
    },

    forget: (offerId: string): Promise<void> => deleteRow(table, removalGuardKey(offerId)),
  };
}
