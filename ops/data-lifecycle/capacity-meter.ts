import { setTimeout as delay } from 'node:timers/promises';
import { Option } from '@commander-js/extra-typings';
import { wholeNumber } from '../../build/command-line.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import { counted } from '../cli/formats.ts';
import { countUnits } from './consumed-units.ts';

export type CapacityMeter = ReturnType<typeof capacityMeter>;

/** A new on-demand table takes 12,000 reads and 4,000 writes a second, so the service keeps nearly all of it. */
const defaultUnitsPerSecond = 500;

export const rateOption = new Option(
  '--units-per-second <n>',
  'How many read units, and how many write units, to use a second',
)
  .argParser(wholeNumber(1, 1_000_000))
  .default(defaultUnitsPerSecond);

type Wait = (ms: number) => Promise<unknown>;

/** Counts what the table's client consumes from now on, and keeps reads and writes below the rate. */
export function capacityMeter(table: Table, unitsPerSecond: number, wait: Wait = delay) {
  const used = countUnits(table);
  const startedAt = performance.now();
  let waitedMs = 0;
  return {
    /** Units so far, as the table reports them. */
    used,
    /** Waits until the units used so far fit the rate. */
    throttle: async (): Promise<void> => {
      const passedMs = Math.max(performance.now() - startedAt, waitedMs);
      const dueMs = (Math.max(used.read, used.write) / unitsPerSecond) * 1_000;
      if (dueMs <= passedMs) return;
      waitedMs = dueMs;
      await wait(dueMs - passedMs);
    },
  };
}

export function unitsLine({ used }: CapacityMeter): string {
  return `It took ${counted(used.read, 'read unit')} and ${counted(used.write, 'write unit')}.`;
}
