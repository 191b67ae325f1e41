import { setTimeout as delay } from 'node:timers/promises';
import type { Table } from '../../shared/table/table.ts';

export interface Meter {
  /** Units so far, as the table says. */
  readonly used: { read: number; write: number };
  /** Waits as long as the agreed rate asks for. */
  rest(): Promise<void>;
}

type Wait = (ms: number) => Promise<unknown>;

const reads = new Set(['GetItemCommand', 'QueryCommand', 'BatchGetItemCommand', 'ScanCommand']);

/** On-demand tables begin with 12,000 reads and 4,000 writes a second: the service keeps nearly all of it. */
export const defaultUnitsPerSecond = 500;

/** Counts what calls of the table's client consume from now on, and keeps reads and writes below a rate each. */
export function meter({ client }: Table, unitsPerSecond = defaultUnitsPerSecond, wait: Wait = delay): Meter {
  const used = { read: 0, write: 0 };
  const startedAt = performance.now();
  let waitedMs = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      const result = await next(args);
      const consumed = (result.output as { ConsumedCapacity?: Capacity | Capacity[] }).ConsumedCapacity;
      const total = [consumed ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      used[reads.has(String(context.commandName)) ? 'read' : 'write'] += total;
      return result;
    },
    { step: 'initialize' },
  );
  return {
    used,
    rest: async () => {
      const passedMs = Math.max(performance.now() - startedAt, waitedMs);
      const dueMs = (Math.max(used.read, used.write) / unitsPerSecond) * 1_000;
      if (dueMs <= passedMs) return;
      waitedMs = dueMs;
      await wait(dueMs - passedMs);
    },
  };
}

type Capacity = { CapacityUnits?: number };

function count(units: number): string {
  return units.toLocaleString('en-US');
}

export function unitsLine({ used }: Meter): string {
  return `It took ${count(used.read)} read units and ${count(used.write)} write units.`;
}
