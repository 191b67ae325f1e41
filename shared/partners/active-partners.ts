import type { Table } from '../platform/table/table.ts';
import { readKeys } from './partner-rows.ts';

/** Partners as they are at this moment, for what is done in their name later than they asked for it. */
export function activePartners(table: Table) {
  return {
    /** Whether the partner exists and is not disabled: a strongly consistent read of its entry and keys, 2 units or more. */
    isActive: async (partnerId: string): Promise<boolean> =>
      (await readKeys(table, partnerId))?.[0].disabled === false,
  };
}
