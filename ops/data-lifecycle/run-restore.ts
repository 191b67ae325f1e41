import { partnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import { rowKinds, UnknownRow } from '../../shared/table/row-kinds.ts';
import type { Table } from '../../shared/table/table.ts';
import { checkTarget, findTable, notRunning, stateDirOf, type Target } from '../cli/find-table.ts';
import { type Options, readOptions } from '../cli/options.ts';
import { failed, Stop, wrongUsage } from '../cli/stop.ts';
import { isUnreachable, tableTrouble } from '../cli/table-trouble.ts';
import type { Terminal } from '../cli/terminal.ts';
import { meter, unitsLine } from './meter.ts';
import type { Whose } from './owners.ts';
import { restoreHelp, restoreOptions } from './restore-help.ts';
import { type Differences, restoreTable, type Scope, type Tables } from './restore-table.ts';
import { tallyTable } from './tally.ts';
import { rateOf } from './unit-rate.ts';

export interface RestoreDeps {
  readonly terminal: Terminal;
  readonly clock: Clock;
}

/** Runs what stands behind `npm run restore --` and returns the exit code. */
export async function runRestore(args: readonly string[], deps: RestoreDeps): Promise<0 | 1 | 2> {
  try {
    const { operands, options } = readOptions(args, restoreOptions);
    if (options.has('help')) {
      deps.terminal.print(restoreHelp);
      return 0;
    }
    if (operands.length > 0)
      throw wrongUsage(`It takes options only, not "${operands[0]}": --help lists them.`);
    return await restore(options, deps);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    deps.terminal.say(error.message);
    return error.exitCode;
  }
}

async function restore(options: Options, deps: RestoreDeps): Promise<0 | 1> {
  const from = readUsage(options, deps.terminal);
  let target: Target | undefined;
  try {
    target = await findTable(options);
    const live = target.table;
    if (live.name === from) throw wrongUsage('--from names the live table itself.');
    const copy = { client: live.client, name: from };
    return await compareAndWrite({ copy, live, meter: meter(live, rateOf(options)) }, options, deps);
  } catch (error) {
    if (error instanceof UnknownRow) throw failed(error.message);
    if (target?.local && isUnreachable(error)) throw failed(notRunning(stateDirOf(options)));
    const sentence = tableTrouble(error);
    throw sentence === undefined ? error : failed(sentence);
  } finally {
    target?.table.client.destroy();
  }
}

/** What can be said without asking a table; the name of the copy. */
function readUsage(options: Options, terminal: Terminal): string {
  const from = options.text('from');
  if (from === undefined) throw wrongUsage('--from is missing: --help says more.');
  if (options.has('partner') && options.has('rows'))
    throw wrongUsage('--partner and --rows exclude each other.');
  kindsOf(options);
  rateOf(options);
  checkTarget(options);
  if (!options.has('dry-run') && !options.has('yes') && !terminal.ask)
    throw wrongUsage('It asks before it writes, and nobody is here to answer: add --yes, or --dry-run.');
  return from;
}

function kindsOf(options: Options): string[] {
  return options.oneOf(
    'kind',
    rowKinds.map(({ name }) => name),
  );
}

async function compareAndWrite(tables: Tables, options: Options, deps: RestoreDeps): Promise<0 | 1> {
  const { terminal, clock } = deps;
  const scope = await scopeOf(tables, options);
  const deleteNew = options.has('delete-new');
  const run = async (write: boolean) => {
    const doing = write ? 'written' : 'found';
    const progress = (seen: number, differences: number) =>
      terminal.progress?.(`${count(seen)} rows read, ${count(differences)} differences ${doing}`);
    const found = await restoreTable(tables, { scope, write, deleteNew, nowMs: clock.now(), progress });
    terminal.progress?.('');
    return found;
  };
  const found = await run(false);
  const toDo = found.missing.total() + found.different.total() + (deleteNew ? found.isNew.total() : 0);
  const dryRun = options.has('dry-run');
  if (!options.has('json')) terminal.print(summaryOf(found, deleteNew));
  if (toDo > 0 && !dryRun) await confirm(tables.live, options, { terminal, toDo });
  const written = toDo > 0 && !dryRun ? await run(true) : undefined;
  const meanwhile = written?.changedMeanwhile.total() ?? 0;
  terminal.print(
    options.has('json')
      ? JSON.stringify(
          { dryRun, found: jsonOf(found), written: written && jsonOf(written), units: tables.meter.used },
          null,
          2,
        )
      : [closing({ toDo, dryRun, written, deleteNew }), unitsLine(tables.meter)].join('\n'),
  );
  return meanwhile > 0 ? 1 : 0;
}

async function confirm(
  live: Table,
  options: Options,
  { terminal, toDo }: { terminal: Terminal; toDo: number },
): Promise<void> {
  if (options.has('yes')) return;
  const response = await terminal.ask?.(
    `${count(toDo)} rows of ${live.name} will be written or deleted.\nType the table's name to go on: `,
  );
  if (response?.trim() !== live.name) throw failed(`That is not ${live.name}: nothing was changed.`);
}

async function scopeOf({ copy, live }: Tables, options: Options): Promise<Scope> {
  const partition = options.text('rows');
  const partnerId = options.text('partner');
  const kinds = kindsOf(options);
  return {
    ...(partition === undefined ? {} : { partition }),
    ...(partnerId === undefined ? {} : { partner: await whoseOf([copy, live], partnerId) }),
    ...(kinds.length > 0 ? { kinds: new Set(kinds) } : {}),
  };
}

/** The offers of then and of now: either account may be what was damaged. */
async function whoseOf(tables: readonly Table[], partnerId: string): Promise<Whose> {
  const accounts = await Promise.all(tables.map((table) => partnerAdminStore(table).find(partnerId)));
  if (accounts.every((account) => account === undefined))
    throw failed(`There is no partner "${partnerId}", neither in the copy nor in the live table.`);
  return { partnerId, offerIds: new Set(accounts.flatMap((account) => account?.offerIds ?? [])) };
}

function count(rows: number): string {
  return rows.toLocaleString('en-US');
}

function summaryOf({ missing, different, isNew, same, left }: Differences, deleteNew: boolean): string {
  return [
    tallyTable({
      missing,
      different,
      [deleteNew ? 'to delete' : 'new since']: isNew,
      same,
      'left alone': left,
    }),
    '',
  ].join('\n');
}

function jsonOf(found: Differences) {
  return Object.fromEntries(Object.entries(found).map(([name, rows]) => [name, rows.json()]));
}

type End = { toDo: number; dryRun: boolean; written: Differences | undefined; deleteNew: boolean };

function closing({ toDo, dryRun, written, deleteNew }: End): string {
  if (toDo === 0) return 'Nothing is missing or different.';
  if (dryRun || !written) return `${count(toDo)} rows would be written or deleted.`;
  const meanwhile = written.changedMeanwhile.total();
  const tried = written.missing.total() + written.different.total() + (deleteNew ? written.isNew.total() : 0);
  const done = `${count(tried - meanwhile)} rows were written or deleted.`;
  return meanwhile === 0
    ? done
    : `${done} ${count(meanwhile)} changed at the same moment and were left alone: run it again.`;
}
