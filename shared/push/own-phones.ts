import * as z from 'zod/mini';
import { readAll } from '../platform/table/batches.ts';
import { phonesKey } from '../platform/table/row-keys/sandbox.ts';
import type { Table } from '../platform/table/table.ts';

const PhonesRow = z.object({
  numbers: z._default(z.set(z.number()), new Set<number>()),
  keptUntil: z.number(),
});

/** Phone numbers that only one partner reaches, where the wallet platform is simulated. */
export function ownPhones(table: Table) {
  return async (partnerId: string, nowMs: number): Promise<ReadonlySet<number>> => {
    const [row] = await readAll(table, [phonesKey(partnerId)], { consistent: true });
    const { numbers, keptUntil } = PhonesRow.parse(row ?? { keptUntil: 0 });
    return keptUntil > nowMs ? numbers : new Set();
  };
}
