import * as z from 'zod/mini';
import type { RowKey } from '../table/row-keys/row-key.ts';
import { updateIf, updateRow } from '../table/rows.ts';
import type { Table } from '../table/table.ts';

const Counter = z.object({ used: z.number() });

type Count = { count: number; limit: number; expiresAt: number };

/** Adds to a counter that stays within its limit, and returns the new count; `undefined` when it would be exceeded. */
export async function countUpTo(table: Table, key: RowKey, count: Count): Promise<number | undefined> {
  const { isCounted, used } = await countIfFits(table, key, count);
  return isCounted ? used : undefined;
}

/** Adds as much of `count` as the limit has room for, and returns how much that is. */
export async function countWhatFits(table: Table, key: RowKey, { count, ...limit }: Count): Promise<number> {
  for (let fitting = count; fitting > 0; ) {
    const { isCounted, used } = await countIfFits(table, key, { count: fitting, ...limit });
    if (isCounted) return fitting;
    // Smaller each time, because the counter had no room for what was tried.
    fitting = limit.limit - used;
  }
  return 0;
}

/** Takes back what was counted and not used. */
export async function countBack(table: Table, key: RowKey, count: number): Promise<void> {
  await updateRow(table, {
    Key: key,
    UpdateExpression: 'ADD used :count',
    ExpressionAttributeValues: { ':count': -count },
  });
}

/** Adds to a counter that stays within its limit. `used` is the counter after that, or as it was when there was no room. */
export async function countIfFits(table: Table, key: RowKey, { count, limit, expiresAt }: Count) {
  const counted = await updateIf(table, {
    Key: key,
    UpdateExpression: 'ADD used :count SET expiresAt = :expiresAt',
    ConditionExpression: 'attribute_not_exists(used) OR used <= :room',
    ExpressionAttributeValues: { ':count': count, ':room': limit - count, ':expiresAt': expiresAt },
    ReturnValues: 'ALL_NEW',
  });
  return { isCounted: counted.applied, used: Counter.parse(counted.row).used };
}
