import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { backoff, type Pause } from '../runtime/backoff.ts';
import { inGroups } from '../runtime/in-groups.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/** BatchGetItem takes 100 keys and returns 16 MB. */
const keysPerCall = 100;
const callsAtOnce = 8;
const maxTries = 8;

/**
 * Reads every row that exists among `keys`, which must be distinct, or throws. The table may return only a part of
 * a batch (UnprocessedKeys): the rest is requested again. Rows come in any order.
 */
export async function readAll(
  table: Table,
  keys: readonly Key[],
  options: { consistent?: boolean; pause?: Pause } = {},
): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  const pause = options.pause ?? backoff();
  await inParallel(callsAtOnce, inGroups(keys, keysPerCall), async (batch) => {
    let left: readonly Key[] = batch;
    for (let tries = 1; tries <= maxTries; tries++) {
      const { Responses, UnprocessedKeys } = await table.client.send(
        new BatchGetCommand({
          RequestItems: { [table.name]: { Keys: [...left], ConsistentRead: options.consistent ?? false } },
        }),
      );
      rows.push(...(Responses?.[table.name] ?? []));
      left = (UnprocessedKeys?.[table.name]?.Keys ?? []) as Key[];
      if (left.length === 0) return;
      await pause(tries);
    }
    throw new Error(`the table did not answer ${left.length} of ${batch.length} keys in ${maxTries} tries`);
  });
  return rows;
}

/**
 * The same for rows that are written once and then stay: a read at half the price, which may be late, can only miss one.
 * What is missing is read again, consistently.
 */
export async function readUnchanging(table: Table, keys: readonly Key[]): Promise<Record<string, unknown>[]> {
  const rows = await readAll(table, keys);
  const found = new Set(rows.map(({ pk, sk }) => `${pk} ${sk}`));
  const missing = keys.filter(({ pk, sk }) => !found.has(`${pk} ${sk}`));
  return [...rows, ...(await readAll(table, missing, { consistent: true }))];
}
