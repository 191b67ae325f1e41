import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { inParallel } from '../../shared/runtime/in-parallel.ts';
import { conditional } from '../../shared/table/condition.ts';
import { readAll } from '../../shared/table/read-all.ts';
import { kindOf } from '../../shared/table/row-kinds.ts';
import type { Table } from '../../shared/table/table.ts';
import type { Row } from '../../shared/table/write-all.ts';
import { compare, type Verdict } from './compare.ts';
import type { Meter } from './meter.ts';
import { ownedRows, type Whose } from './owners.ts';
import { pagesOf } from './pages.ts';
import { type Tally, tally } from './tally.ts';

export interface Tables {
  /** What point-in-time recovery gave. */
  readonly copy: Table;
  readonly live: Table;
  readonly meter: Meter;
}

/** Which rows; all, unless one of these narrows it. */
export interface Scope {
  readonly partition?: string;
  readonly partner?: Whose;
  /** Names of kinds. */
  readonly kinds?: ReadonlySet<string>;
}

export interface Restoration {
  readonly scope: Scope;
  /** Without it differences are counted only. */
  readonly write: boolean;
  /** Also delete rows that the copy lacks. */
  readonly deleteNew: boolean;
  readonly nowMs: number;
  readonly progress?: (seen: number, differences: number) => void;
}

export interface Differences {
  readonly missing: Tally;
  readonly different: Tally;
  /** In the live table only. */
  readonly isNew: Tally;
  readonly same: Tally;
  readonly left: Tally;
  /** Changed by the service between the look and the write: another run looks again. */
  readonly changedMeanwhile: Tally;
}

const writesAtOnce = 10;

/**
 * Compares the copy with the live table page by page, and if asked puts back what is missing or different. Every
 * write holds the live row as it was compared, so the service may go on meanwhile. Nothing is remembered between
 * runs: one that was stopped is run again, and finds less to do.
 */
export async function restoreTable(tables: Tables, restoration: Restoration): Promise<Differences> {
  const found: Differences = {
    missing: tally(),
    different: tally(),
    isNew: tally(),
    same: tally(),
    left: tally(),
    changedMeanwhile: tally(),
  };
  let seen = 0;
  const report = (rows: number) => {
    seen += rows;
    restoration.progress?.(seen, found.missing.total() + found.different.total() + found.isNew.total());
  };
  const { scope } = restoration;
  for await (const page of pagesOf(tables.copy, tables.meter, scope.partition)) {
    const rows = await inScope(tables.copy, scope, page);
    await bringBack(tables, restoration, { rows, found });
    report(page.length);
  }
  for await (const page of pagesOf(tables.live, tables.meter, scope.partition)) {
    const rows = await inScope(tables.live, scope, page);
    await takeAway(tables, restoration, { rows, found });
    report(page.length);
  }
  return found;
}

async function inScope(table: Table, { partner, kinds }: Scope, page: readonly Row[]): Promise<Row[]> {
  const owned = partner ? await ownedRows(table, partner, page) : page;
  return owned.filter((row) => !kinds || kinds.has(kindOf(row).kind.name));
}

interface Work {
  readonly rows: readonly Row[];
  readonly found: Differences;
}

function idOf({ pk, sk }: { pk?: unknown; sk?: unknown }): string {
  return `${pk} ${sk}`;
}

async function standingIn(table: Table, rows: readonly Row[]): Promise<Map<string, Row>> {
  const keys = rows.map(({ pk, sk }) => ({ pk, sk }));
  const there = (await readAll(table, keys, { consistent: true })) as Row[];
  return new Map(there.map((row) => [idOf(row), row]));
}

async function bringBack({ live }: Tables, { write, nowMs }: Restoration, { rows, found }: Work) {
  const standing = await standingIn(live, rows);
  await inParallel(writesAtOnce, rows, async (row) => {
    const { name } = kindOf(row).kind;
    const verdict = compare(row, standing.get(idOf(row)), nowMs);
    found[verdict.is].add(name);
    if (!write || verdict.is === 'same' || verdict.is === 'left') return;
    if (!(await put(live, verdict))) found.changedMeanwhile.add(name);
  });
}

/** Kinds that are not restored, and counters, are not new rows either: the service made them as it went on. */
async function takeAway(
  { copy, live }: Tables,
  { write, deleteNew }: Restoration,
  { rows, found }: Work,
): Promise<void> {
  const candidates = rows.filter((row) => kindOf(row).kind.restored === 'yes');
  const standing = await standingIn(copy, candidates);
  const fresh = candidates.filter((row) => !standing.has(idOf(row)));
  await inParallel(writesAtOnce, fresh, async (row) => {
    const { name } = kindOf(row).kind;
    found.isNew.add(name);
    if (write && deleteNew && !(await remove(live, row))) found.changedMeanwhile.add(name);
  });
}

async function put(
  table: Table,
  verdict: Extract<Verdict, { is: 'missing' | 'different' }>,
): Promise<boolean> {
  const seen = verdict.is === 'different' ? unchanged(verdict.seen, verdict.put) : undefined;
  const written = await conditional(
    table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: verdict.put,
        ...(seen ?? { ConditionExpression: 'attribute_not_exists(pk)' }),
      }),
    ),
  );
  return written.held;
}

async function remove(table: Table, row: Row): Promise<boolean> {
  const Key = { pk: row.pk, sk: row.sk };
  const removed = await conditional(
    table.client.send(new DeleteCommand({ TableName: table.name, Key, ...unchanged(row, row) })),
  );
  return removed.held;
}

/** Every attribute as it was seen; those that only the copy has are not there yet. */
function unchanged(seen: Row, copy: Row) {
  const names = [...new Set([...Object.keys(seen), ...Object.keys(copy)])];
  const standing = names.flatMap((name, n) => (name in seen ? [[`:v${n}`, seen[name]]] : []));
  return {
    ConditionExpression: names
      .map((name, n) => (name in seen ? `#n${n} = :v${n}` : `attribute_not_exists(#n${n})`))
      .join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, n) => [`#n${n}`, name])),
    ExpressionAttributeValues: Object.fromEntries(standing),
  };
}
