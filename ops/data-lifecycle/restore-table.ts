import { isDeepStrictEqual } from 'node:util';
import { inParallel } from '../../shared/platform/runtime/in-parallel.ts';
import type { Row } from '../../shared/platform/table/batches.ts';
import { rowId } from '../../shared/platform/table/row-keys/row-key.ts';
import { kindOf } from '../../shared/platform/table/row-kinds.ts';
import { createRow, updateIf, updateIfStill } from '../../shared/platform/table/rows.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import type { CapacityMeter } from './capacity-meter.ts';
import { compare } from './compare.ts';
import { type Owner, ownedRows, rowsAt } from './owned-rows.ts';
import { asRestored, waitingSend } from './scheduled-sends.ts';
import { Tally } from './tally.ts';

export type Tables = {
  /** The table that point-in-time recovery made. */
  copy: Table;
  live: Table;
  meter: CapacityMeter;
};

/** The rows to compare. Each member narrows it; without any, all rows. */
type Scope = {
  partition?: string | undefined;
  partner?: Owner | undefined;
  kinds?: ReadonlySet<string> | undefined;
};

export type Restoration = {
  scope: Scope;
  /** If false, differences are only counted. */
  write: boolean;
  /** The time now, ms: what is due of restored sends says when the restore ended. */
  now: () => number;
};

export type Differences = Awaited<ReturnType<typeof restoreTable>>;

/** A row of the copy to write, and the live one that it replaces. */
type RowWrite = { put: Row; seen?: Row | undefined };

const writesAtOnce = 10;

/**
 * Compares the copy with the live table page by page and, with `write`, puts back what is missing or different. Every
 * write is conditional on the live row that was compared, so the service may go on meanwhile. An
 * interrupted run is simply run again.
 */
export async function restoreTable(tables: Tables, restoration: Restoration) {
  const { copy, live, meter } = tables;
  const { scope, write, now } = restoration;
  const nowMs = now();
  const found = noDifferences();
  const writeEach = (writes: readonly RowWrite[]) =>
    inParallel(writesAtOnce, write ? writes : [], async (one) => {
      if (await writeOne(live, one)) meter.changed += 1;
      else found.changedMeanwhile.add(one.put);
    });

  const last: RowWrite[] = [];
  for await (const page of meter.pagesOf(copy, scope.partition)) {
    const rows = await inScope(copy, scope, page);
    const liveRows = await rowsAt(live, rows);
    const writes: RowWrite[] = [];
    for (const row of rows) {
      const comparison = compare(row, liveRows.get(rowId(row)), nowMs);
      found[comparison.is].add(row);
      if ('put' in comparison && kindOf(row).kind.name === 'key') found.keys.push(keyIn(row));
      const waiting = comparison.is === 'missing' ? waitingSend(row) : undefined;
      if (waiting) found.scheduled.push(waiting);
      if ('put' in comparison) (kindOf(row).kind.restored === 'last' ? last : writes).push(comparison);
    }
    await writeEach(writes);
    meter.found = found.missing.total() + found.different.total();
  }
  // Write these last, because the service acts on them at once, and on whatever rows exist by then.
  const restoredAt = now();
  await writeEach(last.map((one) => ({ ...one, put: asRestored(one.put, restoredAt) })));
  return { ...found, restoredAt: last.length > 0 ? restoredAt : undefined };
}

function keyIn(row: Row) {
  return { login: String(row['login']), partnerId: String(row['partnerId']) };
}

function noDifferences() {
  return {
    missing: new Tally(),
    different: new Tally(),
    same: new Tally(),
    left: new Tally(),
    /** Sends that are written back and wait for their time. */
    scheduled: [] as NonNullable<ReturnType<typeof waitingSend>>[],
    /** Keys that are written back, with their secrets. */
    keys: [] as ReturnType<typeof keyIn>[],
    /** Changed by the service between the comparison and the write: another run compares them again. */
    changedMeanwhile: new Tally(),
  };
}

async function inScope(table: Table, { partner, kinds }: Scope, page: readonly Row[]): Promise<Row[]> {
  const owned = partner ? await ownedRows(table, partner, page) : page;
  return owned.filter((row) => !kinds || kinds.has(kindOf(row).kind.name));
}

/**
 * Creates a row, or gives the live one what differs. False if it is not as it was seen any more. What it has gained
 * meanwhile stays. A row that others add to needs no condition but that it is there, which fits into an expression however
 * much it has. Markers go: the stream would act on the change.
 */
async function writeOne(table: Table, { put, seen }: RowWrite): Promise<boolean> {
  if (!seen) return (await createRow(table, put)) === undefined;
  const { pk, sk } = put;
  const changed = Object.entries(put).filter(([name, value]) => !isDeepStrictEqual(value, seen[name]));
  const removed = Object.keys(seen).filter((name) => !(name in put));
  const set = { ...Object.fromEntries(changed), ...Object.fromEntries(removed.map((name) => [name, null])) };
  const lacking = Object.fromEntries(Object.keys(put).map((name) => [name, undefined]));
  const unchanged = kindOf(put).kind.restored === 'merged' ? { pk } : { ...lacking, ...seen };
  return (await updateIf(table, { Key: { pk, sk }, ...updateIfStill(unchanged, { set }) })).applied;
}
