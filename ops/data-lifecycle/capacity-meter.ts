import { setTimeout as delay } from 'node:timers/promises';
import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { isTemporary, repeated } from '../../shared/platform/runtime/time-left.ts';
import type { Row } from '../../shared/platform/table/batches.ts';
import { consumedIn, unitsOf } from '../../shared/platform/table/consumed-capacity.ts';
import { inPartition } from '../../shared/platform/table/rows.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import { counted } from '../cli/formats.ts';
import { numberOption } from '../cli/option-values.ts';

/**
 * A new on-demand table takes 12,000 reads and 4,000 writes a second, so the service keeps nearly all of it. A consistent
 * read unit is 4 kB.
 */
const defaultUnitsPerSecond = 500;

export const rateOption = numberOption(
  '--units-per-second <n>',
  'Most read units, and most write units, a second',
  [1, 1_000_000],
).default(defaultUnitsPerSecond);

export type ConsumedUnits = ReturnType<typeof countUnits>;

/** Counts the calls of the table's client from now on, and the units that the table reports for them. */
export function countUnits({ client }: Pick<Table, 'client'>) {
  const units = { read: 0, write: 0, calls: 0 };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      const result = await next(args);
      const kind = unitsOf(String(context.commandName).replace(/Command$/, ''));
      if (kind) units[kind] += consumedIn(result.output);
      units.calls += 1;
      return result;
    },
    { step: 'initialize' },
  );
  return units;
}

export type CapacityMeter = ReturnType<typeof capacityMeter>;

const mostUnusedMs = 1_000;

type Surroundings = { progress?(text: string): void; wait?(ms: number): Promise<unknown> };

/**
 * Counts what the table's client consumes from now on, and keeps reads and writes below the rate. It says by `progress`
 * how many rows were read and found.
 */
export function capacityMeter(table: Table, unitsPerSecond: number, around: Surroundings = {}) {
  const { progress, wait = delay } = around;
  const used = countUnits(table);
  let startedAt = performance.now();
  let waitedMs = 0;
  /** How long the units that were used so far take at the rate. */
  const dueMs = () => (Math.max(used.read, used.write) / unitsPerSecond) * 1_000;
  const meter = {
    /** Units so far, as the table reports them. */
    used,
    rowsRead: 0,
    /** Rows found so far among those read, as far as the reader says. */
    found: 0,
    /** Rows changed so far, as far as the writer says. */
    changed: 0,
    /**
     * Reads a table, or one partition of it, in strongly consistent pages of up to 1 MB. After each page it waits until
     * the units used so far fit the rate. Only operators may Scan; no function has the right. When something was read
     * before, trouble of a minute does not end the reading, which may have taken hours.
     */
    async *pagesOf({ client, name: TableName }: Table, partition?: string): AsyncGenerator<Row[]> {
      const all = { TableName, ConsistentRead: true };
      const readFrom = (ExclusiveStartKey: Row | undefined) =>
        partition === undefined
          ? client.send(new ScanCommand({ ...all, ExclusiveStartKey }))
          : client.send(new QueryCommand({ ...all, ...inPartition(partition), ExclusiveStartKey }));
      let next: Row | undefined;
      try {
        do {
          // Time that passed unused, at a prompt for example, gives no right to a burst.
          startedAt += Math.max(0, performance.now() - startedAt - dueMs() - mostUnusedMs);
          const read = () => readFrom(next);
          const { Items = [], LastEvaluatedKey } = await (meter.rowsRead > 0 ? patiently(read) : read());
          next = LastEvaluatedKey as Row | undefined;
          meter.rowsRead += Items.length;
          yield Items as Row[];
          progress?.(`${counted(meter.rowsRead, 'row')} read, ${meter.found.toLocaleString('en-US')} found`);
          const passedMs = Math.max(performance.now() - startedAt, waitedMs);
          if (dueMs() <= passedMs) continue;
          waitedMs = dueMs();
          await wait(waitedMs - passedMs);
        } while (next);
      } finally {
        // An error that ends the reading must not follow on the same line.
        progress?.('');
      }
    },
  };
  return meter;
}

/** Repeats a read while what fails it may be over in a moment, for up to a minute. */
async function patiently<Result>(read: () => Promise<Result & object>): Promise<Result> {
  let cause: unknown;
  const result = await repeated(() =>
    read().catch((error: unknown) => {
      if (!isTemporary(error)) throw error;
      cause = error;
      return undefined;
    }),
  );
  if (result === undefined) throw cause;
  return result;
}
