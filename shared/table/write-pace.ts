import { setTimeout as delay } from 'node:timers/promises';
import type { Table } from './table.ts';

/** Of 25 rows of up to 1 kB each: as much as AWS grants one partition key. */
const firstGapMs = 25;
const longestGapMs = 1_000;
const slowsBy = 1.5;
const speedsBy = 0.97;
/** Shorter than a call takes. */
const noGapMs = 2;

/**
 * How fast an instance writes batches. Calls follow each other at once until the table does not take all rows of one; from
 * then on with a gap, which grows whenever that happens again and shrinks with each call that is taken whole.
 */
function pace() {
  let gapMs = 0;
  let turns = Promise.resolve();
  return {
    /** Waits for the next call. */
    turn: (): Promise<void> => {
      const turn = turns;
      // A little sooner or later, so that instances that were refused together do not return together.
      if (gapMs > 0) turns = turns.then(() => delay(gapMs * (0.75 + Math.random() / 2)));
      return turn;
    },
    learn: (untaken: number): void => {
      if (untaken > 0) gapMs = Math.min(longestGapMs, Math.max(firstGapMs, gapMs * slowsBy));
      else gapMs = gapMs * speedsBy < noGapMs ? 0 : gapMs * speedsBy;
    },
  };
}

const paces = new WeakMap<Table, ReturnType<typeof pace>>();

/** One for all that an instance writes. */
export function paceOf(table: Table) {
  const known = paces.get(table) ?? pace();
  paces.set(table, known);
  return known;
}
