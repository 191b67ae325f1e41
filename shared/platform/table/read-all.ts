import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { inGroups } from '../runtime/in-groups.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { isTemporary, repeated } from '../runtime/time-left.ts';
import type { RowKey } from './row-keys/row-key.ts';
import type { Table } from './table.ts';

/** BatchGetItem takes 100 keys and returns 16 MB. */
const keysPerCall = 100;
const callsAtOnce = 8;

/**
 * Reads every row that exists among `keys`, which must be distinct, or throws when the function has no more time. What
 * the table does not return of a batch (UnprocessedKeys) is requested again. Rows come in any order.
 */
export async function readAll(table: Table, keys: readonly RowKey[], { consistent = false } = {}) {
  const rows: Record<string, unknown>[] = [];
  await inParallel(callsAtOnce, inGroups(keys, keysPerCall), async (batch) => {
    let left: readonly RowKey[] = batch;
    await repeated(async () => {
      const read = await readBatch(table, { Keys: [...left], ConsistentRead: consistent });
      rows.push(...read.rows);
      left = read.left;
      return left.length === 0 || undefined;
    });
    if (left.length > 0)
      throw new Error(`the table did not return ${left.length} of ${batch.length} keys in time`);
  });
  return rows;
}

async function readBatch({ client, name }: Table, asked: { Keys: RowKey[]; ConsistentRead: boolean }) {
  try {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({ RequestItems: { [name]: asked } }),
    );
    return { rows: Responses?.[name] ?? [], left: (UnprocessedKeys?.[name]?.Keys ?? []) as RowKey[] };
  } catch (error) {
    if (isTemporary(error)) return { rows: [], left: asked.Keys };
    throw error;
  }
}

/**
 * Reads rows that do not change once they are written, except when a recipient is erased, at half the price: a read
 * that is not consistent can only miss such a row. Missing rows are read again, consistently.
 */
export async function readUnchanging(
  table: Table,
  keys: readonly RowKey[],
): Promise<Record<string, unknown>[]> {
  const rows = await readAll(table, keys);
  const found = new Set(rows.map(({ pk, sk }) => `${pk} ${sk}`));
  const missing = keys.filter(({ pk, sk }) => !found.has(`${pk} ${sk}`));
  return [...rows, ...(await readAll(table, missing, { consistent: true }))];
}
