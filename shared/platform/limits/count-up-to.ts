import * as z from 'zod/mini';
import { updateIf } from '../table/condition.ts';
import type { Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const Counter = z.object({ used: z.number() });

/** Adds to a counter that stays within its limit, and returns the new count; `undefined` when it would be exceeded. */
export async function countUpTo(
  table: Table,
  key: Key,
  { count, limit, expiresAt }: { count: number; limit: number; expiresAt: number },
): Promise<number | undefined> {
  const counted = await updateIf(table, {
    Key: key,
    UpdateExpression: 'ADD used :count SET expiresAt = :expiresAt',
    ConditionExpression: 'attribute_not_exists(used) OR used <= :room',
    ExpressionAttributeValues: { ':count': count, ':room': limit - count, ':expiresAt': expiresAt },
    ReturnValues: 'ALL_NEW',
  });
  return counted.applied ? Counter.parse(counted.row).used : undefined;
}
