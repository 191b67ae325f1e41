import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { minutes } from '../../shared/platform/runtime/clock.ts';
import { deleteAll, type Row, writeAll } from '../../shared/platform/table/batches.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import { type CommandDeps, confirm, tellingHowFar, usageError } from '../cli/command-line.ts';
import { counted } from '../cli/formats.ts';
import type { CapacityMeter } from './capacity-meter.ts';
import { compare, withNumbersSkipped } from './compare.ts';
import { asRestored, endText, scheduledText, waitingSend } from './scheduled-sends.ts';
import { joined, Tally, tallyTable, unitsLine } from './tally.ts';

/** The deployment that follows takes no longer. What is due until then may have happened at the lost table. */
const servedWithinMs = minutes(30);

type WaitingSend = NonNullable<ReturnType<typeof waitingSend>>;

type Cleaning = {
  /** If false, rows are only counted. */
  write: boolean;
  nowMs: number;
};

/**
 * Deletes the rows of a restored table that a restore into another table would leave alone, so that it can be served
 * itself. Markers stay in the others: no reader gets rows that were there before the stream. What is due of sends says that it
 * was restored. The numbers of check-ins go on far behind the copy's: a cash desk may still have later ones from before.
 */
export async function cleanInPlace(table: Table, meter: CapacityMeter, { write, nowMs }: Cleaning) {
  const restoredAt = nowMs + servedWithinMs;
  const found = { kept: new Tally(), deleted: new Tally(), scheduled: [] as WaitingSend[], restoredAt };
  for await (const page of meter.pagesOf(table)) {
    const isLeft = (row: (typeof page)[number]) => compare(row, undefined, nowMs).is === 'left';
    const left = page.filter(isLeft);
    for (const row of page) (isLeft(row) ? found.deleted : found.kept).add(row);
    const kept = page.filter((row) => !isLeft(row));
    found.scheduled.push(...kept.flatMap((row) => waitingSend(row) ?? []));
    const changes = kept.flatMap((row) => changeOf(row, restoredAt));
    if (write) {
      await deleteAll(table, left);
      meter.changed += left.length;
      await writeAll(table, changes);
    }
    meter.found = found.deleted.total();
  }
  return found;
}

/** Writes the row as it is served, if that is not as it was copied. */
function changeOf(row: Row, restoredAt: number): { put: Row }[] {
  const put = withNumbersSkipped(asRestored(row, restoredAt));
  return put === row ? [] : [{ put }];
}

type Options = { dryRun?: boolean | undefined; yes?: boolean | undefined };

/** Counts what is to be deleted, prompts, and deletes it. */
export async function runInPlace(
  { table, meter }: { table: Table; meter: CapacityMeter },
  { dryRun = false, yes }: Options,
  { terminal, clock }: CommandDeps,
): Promise<void> {
  if (await hasStream(table))
    throw usageError(
      `${table.name} has a stream, so it may be served: --in-place is for one that is not yet.`,
    );
  const run = (write: boolean) => cleanInPlace(table, meter, { write, nowMs: clock.now() });
  const found = await run(false);
  const toDelete = found.deleted.total();
  const raised = `${counted(found.kept.of('check-in counter'), 'counter')} of check-ins raised by a million`;
  const tally = tallyTable({ stays: found.kept, 'to delete': found.deleted });
  terminal.print(joined(tally, scheduledText(found.scheduled), ''));
  if (!dryRun && !yes) {
    const consequence = `${counted(toDelete, 'row')} of ${table.name} will be deleted, and ${raised}, as by each run.`;
    await confirm(terminal, { consequence, expected: table.name, name: "the table's name" });
  }
  const howFar = () => `${meter.changed} of ${counted(toDelete, 'row')} are deleted.`;
  const deleted = dryRun ? undefined : await tellingHowFar(terminal, howFar, () => run(true));
  const done = deleted && `Deleted ${counted(deleted.deleted.total(), 'row')}, ${raised}.`;
  const planned = `Would delete ${counted(toDelete, 'row')}, ${raised}.`;
  terminal.print(joined(done ?? planned, deleted && endText(deleted.restoredAt), unitsLine(meter)));
}

/** A restored table has no stream before somebody enables it, and the functions' table always has one. */
async function hasStream({ client, name }: Table): Promise<boolean> {
  const { Table: description } = await client.send(new DescribeTableCommand({ TableName: name }));
  return description?.StreamSpecification?.StreamEnabled === true;
}
