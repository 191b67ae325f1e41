import { waitAbout } from '../runtime/backoff.ts';
import type { Table } from './table.ts';

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
export function gapAfter(gapMs: number, { untaken }: { untaken: number }): number {
  if (untaken > 0) return Math.min(longestGapMs, Math.max(firstGapMs, gapMs * slowsBy));
  const shorter = gapMs * speedsBy;
  return shorter < noGapMs ? 0 : shorter;
}

/** How fast an instance writes batches. */
function pace() {
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

const paces = new WeakMap<Table, ReturnType<typeof pace>>();

/** The pace of a table, which all writes of an instance share. */
export function paceOf(table: Table) {
  const known = paces.get(table) ?? pace();
  paces.set(table, known);
  return known;
}
