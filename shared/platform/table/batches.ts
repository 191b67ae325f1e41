import { type AttributeValue, BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { convertToAttr } from '@aws-sdk/util-dynamodb';
import { waitAbout } from '../runtime/backoff.ts';
import { inGroups } from '../runtime/in-groups.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { isTemporary, isThrottling, repeated, timeFromNow } from '../runtime/time-left.ts';
import { type RowKey, rowId } from './row-keys/row-key.ts';
import type { Table } from './table.ts';

export type Row = RowKey & Record<string, unknown>;
export type Write = { put: Row } | { delete: RowKey };

/** `mayBeMadeLater`: a call was given up without a response, so the table may still make its writes in the next seconds. */
export type Written = { mayBeMadeLater: boolean };

/** BatchWriteItem takes 25 rows and 16 MB; a row is 400 kB at most, so 25 rows always fit. */
const rowsPerCall = 25;
const writeCallsAtOnce = 4;

/**
 * Puts and deletes every row, or throws when the function has no more time. What the table does not take of a batch
 * (UnprocessedItems) is sent again, as fast as it takes. Not a transaction: rows written before a failure stay, so
 * callers write idempotently.
 */
export async function writeAll(table: Table, writes: readonly Write[]): Promise<Written> {
  const left = writes.map(toRequest);
  const spacing = newSpacing();
  const hasTime = timeFromNow();
  let mayBeMadeLater = false;
  const givenUp = (error: unknown) => {
    mayBeMadeLater ||= !isThrottling(error);
  };
  const writeWhileLeft = async (): Promise<void> => {
    while (left.length > 0) {
      await spacing.turn();
      const batch = left.splice(0, rowsPerCall);
      if (batch.length === 0) return;
      const untaken = await writeBatch(table, batch, givenUp);
      spacing.learn(untaken.length);
      left.push(...untaken);
      if (untaken.length > 0 && !hasTime())
        throw new Error(`the table did not take ${left.length} of ${writes.length} rows in time`);
    }
  };
  const calls = Math.min(writeCallsAtOnce, Math.ceil(writes.length / rowsPerCall));
  await inParallel(calls, Array(calls).keys(), writeWhileLeft);
  return { mayBeMadeLater };
}

/** Deletes the rows with these keys, or throws. */
export async function deleteAll(table: Table, keys: readonly RowKey[]): Promise<void> {
  const deletes = keys.map(({ pk, sk }) => ({ delete: { pk, sk } }));
  await writeAll(table, deletes);
}

/**
 * Returns what the table did not take. `failed` is called for each failed try: by the middleware for those that the SDK
 * repeats, and once more for the last one, because a client whose `send` is replaced runs no middleware.
 */
async function writeBatch({ client, name }: Table, batch: WriteRequest[], failed: (error: unknown) => void) {
  const command = new BatchWriteItemCommand({ RequestItems: { [name]: batch } });
  command.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        failed(error);
        throw error;
      }),
    { step: 'deserialize', priority: 'high' },
  );
  try {
    const written = await client.send(command);
    return written.UnprocessedItems?.[name] ?? [];
  } catch (error) {
    failed(error);
    if (isTemporary(error)) return batch;
    throw error;
  }
}

function toRequest(write: Write): WriteRequest {
  return 'put' in write
    ? { PutRequest: { Item: toAttributes(write.put) } }
    : { DeleteRequest: { Key: toAttributes(write.delete) } };
}

/** Marshalls as the document client does, but passes text through, which saves a tenth of the CPU of a call. */
function toAttributes(row: object): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = {};
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'string') attributes[name] = { S: value };
    else if (value !== undefined) attributes[name] = convertToAttr(value, { removeUndefinedValues: true });
  }
  return attributes;
}

/** A batch of 25 rows of up to 1 kB in each gap takes the 1,000 write units a second that AWS grants one partition key. */
const firstGapMs = 25;
const longestGapMs = 1_000;
const slowsBy = 1.5;
const speedsBy = 0.97;
/** A gap below this is shorter than a call takes. */
const noGapMs = 2;

/**
 * The time from one batch to the next: none until the table does not take all rows of one. From then on it grows
 * whenever that happens again, and shrinks with each batch that is taken whole.
 */
function gapAfter(gapMs: number, { untaken }: { untaken: number }): number {
  if (untaken > 0) return Math.min(longestGapMs, Math.max(firstGapMs, gapMs * slowsBy));
  const shorter = gapMs * speedsBy;
  return shorter < noGapMs ? 0 : shorter;
}

/** The time between the batches of one call: most write to one partition, such as the points of a list. */
function newSpacing() {
  let gapMs = 0;
  let turns = Promise.resolve();
  return {
    /** Waits for the next batch's turn. */
    turn: (): Promise<void> => {
      const turn = turns;
      if (gapMs > 0) turns = turns.then(() => waitAbout(gapMs));
      return turn;
    },
    learn: (untaken: number): void => {
      gapMs = gapAfter(gapMs, { untaken });
    },
  };
}

/** BatchGetItem takes 100 keys and returns 16 MB. */
const keysPerCall = 100;
const readCallsAtOnce = 8;

/**
 * Reads every row that exists among `keys`, which must be distinct, or throws when the function has no more time. What
 * the table does not return of a batch (UnprocessedKeys) is requested again. Rows come in any order.
 */
export async function readAll(table: Table, keys: readonly RowKey[], { consistent = false } = {}) {
  const rows: Record<string, unknown>[] = [];
  await inParallel(readCallsAtOnce, inGroups(keys, keysPerCall), async (batch) => {
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
  const found = new Set(rows.map((row) => rowId(row as RowKey)));
  const missing = keys.filter((key) => !found.has(rowId(key)));
  return [...rows, ...(await readAll(table, missing, { consistent: true }))];
}
