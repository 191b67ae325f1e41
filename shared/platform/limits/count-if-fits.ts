import * as z from 'zod/mini';
import { systemIds } from '../runtime/ids.ts';
import type { RowKey } from '../table/row-keys/row-key.ts';
import { updateIf } from '../table/rows.ts';
import type { Table } from '../table/table.ts';

const Counter = z.object({ used: z.number(), countedBy: z.optional(z.string()) });

type Count = { count: number; limit: number; expiresAt: number };

/**
 * Adds to a counter that stays within its limit; a negative `count` gives back. `used` is the counter after that, or as it
 * was when there was no room. The SDK repeats a call whose response was lost: `countedBy` says that the repeat meets its
 * own work. Only if another call has counted in between, it counts twice, or finds no room.
 */
export async function countIfFits(table: Table, key: RowKey, { count, limit, expiresAt }: Count) {
  const by = systemIds.uuid();
  // More than the limit does not fit into an empty counter either.
  const fits = count <= limit ? '(attribute_not_exists(used) OR used <= :room)' : 'used <= :room';
  const counted = await updateIf(table, {
    Key: key,
    UpdateExpression: 'ADD used :count SET expiresAt = :expiresAt, countedBy = :by',
    ConditionExpression: `${fits} AND NOT countedBy = :by`,
    ExpressionAttributeValues: {
      ':count': count,
      ':room': limit - count,
      ':expiresAt': expiresAt,
      ':by': by,
    },
    ReturnValues: 'ALL_NEW',
  });
  const row = counted.row && Counter.parse(counted.row);
  return { isCounted: counted.applied || row?.countedBy === by, used: row?.used ?? 0 };
}
