import { inParallel } from '../../shared/platform/runtime/in-parallel.ts';
import { deleteIf, putIf } from '../../shared/platform/table/condition.ts';
import { kindOf } from '../../shared/platform/table/row-kinds.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import type { Row } from '../../shared/platform/table/write-all.ts';
import type { CapacityMeter } from './capacity-meter.ts';
import { type Comparison, compare } from './compare.ts';
import { type Owner, ownedRows } from './owned-rows.ts';
import { idOf, rowsAt } from './rows-at.ts';
import { Tally } from './tally.ts';

export interface Tables {
  /** The table that point-in-time recovery made. */
  readonly copy: Table;
  readonly live: Table;
  readonly meter: CapacityMeter;
}

/** The rows to compare. Each member narrows it; without any, all rows. */
interface Scope {
  readonly partition?: string | undefined;
  readonly partner?: Owner | undefined;
  readonly kinds?: ReadonlySet<string> | undefined;
}

export interface Restoration {
  readonly scope: Scope;
  /** If false, differences are only counted. */
  readonly write: boolean;
  readonly deleteNew: boolean;
  readonly nowMs: number;
  readonly progress?: (differences: number) => void;
}

export type Differences = ReturnType<typeof noDifferences>;

const writesAtOnce = 10;

/**
 * Compares the copy with the live table page by page and, with `write`, puts back what is missing or different. Every
 * write is conditional on the live row that was compared, so the service may go on meanwhile. An
 * interrupted run is simply run again.
 */
export async function restoreTable(tables: Tables, restoration: Restoration): Promise<Differences> {
  const { copy, live, meter } = tables;
  const { scope, write, deleteNew, nowMs, progress } = restoration;
  const found = noDifferences();
  const report = () => progress?.(found.missing.total() + found.different.total() + found.isNew.total());
  const writeEach = (rows: readonly Row[], writeOne: (row: Row) => Promise<boolean>) =>
    inParallel(writesAtOnce, rows, async (row) => {
      if (!(await writeOne(row))) found.changedMeanwhile.add(kindOf(row).kind.name);
    });

  const last = new Map<Row, Comparison>();
  for await (const page of meter.pagesOf(copy, scope.partition)) {
    const rows = await inScope(copy, scope, page);
    const liveRows = await rowsAt(live, rows);
    const comparisons = new Map(rows.map((row) => [row, compare(row, liveRows.get(idOf(row)), nowMs)]));
    for (const [row, comparison] of comparisons) found[comparison.is].add(kindOf(row).kind.name);
    for (const [row, comparison] of comparisons) {
      if (kindOf(row).kind.restored !== 'last') continue;
      last.set(row, comparison);
      comparisons.delete(row);
    }
    if (write) await writeEach([...comparisons.keys()], async (row) => putBack(live, comparisons.get(row)));
    report();
  }
  // Write these last, because the service acts on them at once, and on whatever rows exist by then.
  if (write) await writeEach([...last.keys()], async (row) => putBack(live, last.get(row)));
  for await (const page of meter.pagesOf(live, scope.partition)) {
    const rows = await newRows(copy, await inScope(live, scope, page));
    for (const row of rows) found.isNew.add(kindOf(row).kind.name);
    if (write && deleteNew) await writeEach(rows, (row) => deleteRow(live, row));
    report();
  }
  return found;
}

function noDifferences() {
  return {
    missing: new Tally(),
    different: new Tally(),
    isNew: new Tally(),
    same: new Tally(),
    left: new Tally(),
    /** Changed by the service between the comparison and the write: another run compares them again. */
    changedMeanwhile: new Tally(),
  };
}

async function inScope(table: Table, { partner, kinds }: Scope, page: readonly Row[]): Promise<Row[]> {
  const owned = partner ? await ownedRows(table, partner, page) : page;
  return owned.filter((row) => !kinds || kinds.has(kindOf(row).kind.name));
}

/** Finds live rows that the copy lacks. Counters and kinds that are not restored never count as new. */
async function newRows(copy: Table, liveRows: readonly Row[]): Promise<Row[]> {
  const candidates = liveRows.filter((row) => ['yes', 'merged'].includes(kindOf(row).kind.restored));
  const inCopy = await rowsAt(copy, candidates);
  return candidates.filter((row) => !inCopy.has(idOf(row)));
}

async function putBack(table: Table, comparison: Comparison | undefined): Promise<boolean> {
  if (comparison?.is !== 'missing' && comparison?.is !== 'different') return true;
  const condition =
    comparison.is === 'different'
      ? unchanged(comparison.seen, comparison.put)
      : { ConditionExpression: 'attribute_not_exists(pk)' };
  const written = await putIf(table, { Item: comparison.put, ...condition });
  return written.applied;
}

async function deleteRow(table: Table, row: Row): Promise<boolean> {
  const Key = { pk: row.pk, sk: row.sk };
  const deleted = await deleteIf(table, { Key, ...unchanged(row, row) });
  return deleted.applied;
}

/** The condition that the live row still is as it was seen. */
function unchanged(seen: Row, copy: Row) {
  const names = [...new Set([...Object.keys(seen), ...Object.keys(copy)])];
  const present = names.flatMap((name, n) => (name in seen ? [[`:v${n}`, seen[name]]] : []));
  return {
    ConditionExpression: names
      .map((name, n) => (name in seen ? `#n${n} = :v${n}` : `attribute_not_exists(#n${n})`))
      .join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, n) => [`#n${n}`, name])),
    ExpressionAttributeValues: Object.fromEntries(present),
  };
}
