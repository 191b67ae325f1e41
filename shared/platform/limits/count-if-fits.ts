import * as z from 'zod/mini';
import type { RowKey } from '../table/row-keys/row-key.ts';
import { updateIf } from '../table/rows.ts';
import type { Table } from '../table/table.ts';

const Counter = z.object({ used: z.number() });

type Count = { count: number; limit: number; expiresAt: number };

/** Adds to a counter that stays within its limit. `used` is the counter after that, or as it was when there was no room. */
export async function countIfFits(table: Table, key: RowKey, { count, limit, expiresAt }: Count) {
  const fits = 'attribute_not_exists(used) OR used <= :room';
  const counted = await updateIf(table, {
    Key: key,
    UpdateExpression: 'ADD used :count SET expiresAt = :expiresAt',
    // More than the limit does not fit into an empty counter either.
    ConditionExpression: count <= limit ? fits : 'used <= :room',
    ExpressionAttributeValues: { ':count': count, ':room': limit - count, ':expiresAt': expiresAt },
    ReturnValues: 'ALL_NEW',
  });
  return { isCounted: counted.applied, used: counted.row ? Counter.parse(counted.row).used : 0 };
}
