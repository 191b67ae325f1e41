import { Command, Option } from '@commander-js/extra-typings';
import { partnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import type { StoredKey } from '../../shared/partners/partner-rows.ts';
import { isDataError } from '../../shared/platform/runtime/data-error.ts';
import { offerKey } from '../../shared/platform/table/row-keys/partners.ts';
import { rowId } from '../../shared/platform/table/row-keys/row-key.ts';
import { rowKinds } from '../../shared/platform/table/row-kinds.ts';
import type { Table } from '../../shared/platform/table/table.ts';
import {
  type CommandDeps,
  confirm,
  failure,
  runProgram,
  tellingHowFar,
  usageError,
} from '../cli/command-line.ts';
import { counted } from '../cli/formats.ts';
import { listOf, oneOf } from '../cli/option-values.ts';
import { placeOf, stageOfTable, stageOption, stateOption, tableOption, withTarget } from '../cli/target.ts';
import { capacityMeter, rateOption } from './capacity-meter.ts';
import { runInPlace } from './clean-in-place.ts';
import { type Owner, rowsAt } from './owned-rows.ts';
import { type Differences, restoreTable, type Tables } from './restore-table.ts';
import { endText, scheduledText } from './scheduled-sends.ts';
import { joined, tallyTable, unitsLine } from './tally.ts';

const kinds = rowKinds.map(({ name }) => name);

function restoreProgram() {
  return new Command('npm run restore --')
    .description('Puts rows of a restored copy of the table back into the live one.')
    .option('--from <table>', 'The restored copy, in the same account and region')
    .addOption(
      new Option('--in-place', 'Prepare the restored table that --table names to be served itself').conflicts(
        ['from', 'stage', 'partner', 'rows', 'kind'],
      ),
    )
    .addOption(stateOption)
    .addOption(stageOption)
    .addOption(tableOption)
    .addOption(new Option('--partner <id>', "Only a partner's rows").conflicts('rows'))
    .option('--rows <pk>', "Only the rows of this partition key, 'PLACES#bars-of-moscow' say")
    .option('--kind <kind>', "Only rows of this kind, 'offer' say; may be repeated", listOf(oneOf(kinds)))
    .option('--dry-run', 'Show the differences, change nothing')
    .option('--yes', "Go on without typing the live table's name")
    .addOption(rateOption)
    .addHelpText('after', afterHelp);
}

const afterHelp = `
It compares first, shows the differences by kind of row, and prompts for the table's name. Then it puts back what is
missing or different; rows that the copy lacks stay. It cannot tell damage from a change that was meant: narrow it down.
The service may run meanwhile, and a run that was stopped is simply run again.
A copy whose name begins with another stage than the live table's is refused.

Without --rows it reads the copy, 2 MB a second with 500 units, and again to write. Each row that it compares takes a unit
or more in the live table: without --partner or --kind, all rows.

With --in-place it deletes from a restored table what must not be served (below), so that a deployment can put it in the
place of the lost one; it refuses a table with a stream, because that may be served already.

Short-lived rows are left alone: rates, sync sessions, active check-ins, callbacks and the health of
endpoints, idempotency keys, parked messages. Counters never go down; those of check-ins go up by a million, as a cash desk
may have numbers from after the copy. Messages come back without being sent again, and
scheduled sends that were due before the end of the restore end as CANCELLED: it lists them.
What was erased, and keys that were revoked, after the copy's moment come back too: end them again.

Exit codes: 0 done, 1 failed, or something changed meanwhile, 2 wrong usage.`;

type RestoreOptions = ReturnType<ReturnType<typeof restoreProgram>['opts']>;

/** Runs `npm run restore` and returns the exit code. */
export async function runRestore(words: readonly string[], deps: CommandDeps): Promise<0 | 1 | 2> {
  const program = restoreProgram().action(async (options) => {
    const { from, inPlace, unitsPerSecond } = options;
    if (from === undefined && !inPlace) throw usageError('It takes --from, or --in-place.');
    // Fail now, not after a long comparison.
    if (!options.dryRun && !options.yes && !deps.terminal.ask)
      throw usageError('It prompts before it writes, and there is no terminal: add --yes or --dry-run.');
    await withTarget(options, async ({ table: live }) => {
      if (from !== undefined) refuseForeignCopy(from, live.name);
      deps.terminal.print(`This is ${await placeOf(live, options)}.`);
      const meter = capacityMeter(live, unitsPerSecond, deps.terminal);
      if (from === undefined) return runInPlace({ table: live, meter }, options, deps);
      await compareAndWrite({ copy: { client: live.client, name: from }, live, meter }, options, deps);
    });
  });
  return runProgram(program, words, deps.terminal);
}

function refuseForeignCopy(from: string, live: string): void {
  if (live === from) throw usageError('--from names the live table itself.');
  const [ofCopy, ofLive] = [stageOfTable(from), stageOfTable(live)];
  if (ofCopy && ofLive && ofCopy !== ofLive)
    throw usageError(`--from names a copy of stage ${ofCopy}, and ${live} is of stage ${ofLive}.`);
}

async function compareAndWrite(tables: Tables, options: RestoreOptions, deps: CommandDeps): Promise<void> {
  const { terminal, clock } = deps;
  const { dryRun = false, yes } = options;
  const { rows: partition, partner: partnerId, kind } = options;
  const partner = partnerId === undefined ? undefined : await ownerOf(tables, partnerId);
  const scope = { partition, partner, kinds: kind && new Set(kind) };
  const run = (write: boolean) => restoreTable(tables, { scope, write, now: clock.now });
  // It compares with --yes too: a stopped run must have listed the keys and sends that it wrote back.
  const found = await run(false);
  const toWrite = writesOf(found);
  const { missing, different, same, left } = found;
  if (partition !== undefined && toWrite + same.total() + left.total() === 0)
    throw failure(`The copy has no rows of ${partition} to compare.`);
  const differences = tallyTable({ missing, different, same, 'left alone': left });
  const isDueRestored = partition === undefined && (!kind || kind.includes('deadline'));
  const scheduled = scheduledText(found.scheduled, isDueRestored);
  terminal.print(joined(differences, scheduled, keysText(found.keys), ''));
  if (toWrite > 0 && !dryRun && !yes) {
    const { live, copy } = tables;
    const consequence = `${counted(toWrite, 'row')} of ${live.name} will be written, to be as in ${copy.name}.`;
    await confirm(terminal, { consequence, expected: live.name, name: "the table's name" });
  }
  const howFar = () => `${tables.meter.changed} of ${counted(toWrite, 'row')} are written.`;
  const writeAll = () => tellingHowFar(terminal, howFar, () => run(true));
  const written = toWrite > 0 && !dryRun ? await writeAll() : undefined;
  const end = written?.restoredAt === undefined ? undefined : endText(written.restoredAt);
  terminal.print(joined(closingLine(toWrite, written), end, unitsLine(tables.meter)));
  const changed = written?.changedMeanwhile.total() ?? 0;
  if (changed > 0)
    throw failure(`${counted(changed, 'row')} changed at the same moment and kept the change: run it again.`);
}

/** The list for operators, who may have ended such a key or secret because it had leaked. */
function keysText(keys: Differences['keys']): string | undefined {
  if (keys.length === 0) return undefined;
  const title = `${counted(keys.length, 'key')} with the secrets of the copy: end again what was revoked or retired since:`;
  return [title, ...keys.map(({ login, partnerId }) => `  ${login} of ${partnerId}`)].join('\n');
}

/**
 * Finds the offers in both tables, because the rows that lead to them may be damaged in either: a row that does not parse
 * counts as absent, so that it can be put back.
 */
async function ownerOf({ copy, live }: Tables, partnerId: string): Promise<Owner> {
  const partners = await Promise.all([copy, live].map((table) => findParsed(table, partnerId)));
  if (partners.every((partner) => partner === undefined))
    throw failure(`There is no partner "${partnerId}", neither in the copy nor in the live table.`);
  const offerIds = new Set(partners.flatMap((partner) => partner?.offerIds ?? []));
  const offers = await rowsAt(live, [...offerIds].map(offerKey));
  const ownerNow = (offerId: string) => offers.get(rowId(offerKey(offerId)))?.['partnerId'] ?? partnerId;
  const foreign = [...offerIds].find((offerId) => ownerNow(offerId) !== partnerId);
  if (foreign)
    throw failure(
      `Offer ${foreign} belongs to ${ownerNow(foreign)} now: restore ${partnerId} by --rows or --kind.`,
    );
  return { partnerId, offerIds };
}

async function findParsed(table: Table, partnerId: string): Promise<StoredKey | undefined> {
  try {
    return await partnerAdminStore(table).find(partnerId);
  } catch (error) {
    if (!isDataError(error)) throw error;
    return undefined;
  }
}

function writesOf({ missing, different }: Differences): number {
  return missing.total() + different.total();
}

function closingLine(toWrite: number, written: Differences | undefined): string {
  if (toWrite === 0) return 'Nothing is missing or different.';
  if (!written) return `Would write ${counted(toWrite, 'row')}.`;
  const done = writesOf(written) - written.changedMeanwhile.total();
  return `Wrote ${counted(done, 'row')}.`;
}
