import { callbackArchive } from '../../shared/callbacks/callback-archive.ts';
import { callbackStore } from '../../shared/callbacks/callback-store.ts';
import { endpointStore } from '../../shared/callbacks/endpoint-store.ts';
import { partnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { Ids } from '../../shared/runtime/ids.ts';
import { checkTarget, findTable, notRunning, stateDirOf, type Target } from '../cli/find-table.ts';
import { readOptions, type Typed } from '../cli/options.ts';
import { failed, Stop, wrongUsage } from '../cli/stop.ts';
import { isUnreachable, tableTrouble } from '../cli/table-trouble.ts';
import type { Terminal } from '../cli/terminal.ts';
import type { Call, Command, Report } from './command.ts';
import { commands } from './commands.ts';
import { generalHelp, helpOf, optionsOf, typedFirst, usageOf } from './help.ts';

export interface PartnerDeps {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Runs what stands behind `npm run partner --` and returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runPartner(args: readonly string[], deps: PartnerDeps): Promise<0 | 1 | 2> {
  const { terminal } = deps;
  try {
    if (asksForHelp(args)) terminal.print(generalHelp(commands));
    else await runCommand(args, deps);
    return 0;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    terminal.say(error.message);
    return error.exitCode;
  }
}

function asksForHelp([first = '', ...more]: readonly string[]): boolean {
  return first === '--help' || (first === 'help' && more.length === 0);
}

async function runCommand(args: readonly string[], deps: PartnerDeps): Promise<void> {
  const asksHelp = args[0] === 'help';
  const words = asksHelp ? args.slice(1) : args;
  const command = commandOf(words);
  const typed = typedFor(command, words.slice(command.name.split(' ').length), asksHelp);
  if (typed === 'help') return deps.terminal.print(helpOf(command));
  const { text, json } = await perform(command, typed, deps);
  deps.terminal.print(typed.options.has('json') ? JSON.stringify(json, null, 2) : text);
}

/** The command whose words come first. */
function commandOf(words: readonly string[]): Command {
  const found = commands.find(({ name }) => name.split(' ').every((word, n) => words[n] === word));
  if (found) return found;
  const [first] = words;
  if (first === undefined) throw wrongUsage(generalHelp(commands));
  const family = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (family.length > 0) throw wrongUsage(`"${first}" is one of: ${family.join(', ')}.`);
  throw wrongUsage(`There is no command "${first}": --help lists them.`);
}

function typedFor(command: Command, rest: readonly string[], asksHelp: boolean): Typed | 'help' {
  const seeHelp = `Its help: npm run partner -- ${command.name} --help`;
  try {
    const typed = readOptions(rest, optionsOf(command));
    if (asksHelp || typed.options.has('help')) return 'help';
    if (typed.operands.length === command.operands.length) return typed;
    throw wrongUsage(`It is used so: ${usageOf(command)}.`);
  } catch (error) {
    throw error instanceof Stop ? wrongUsage(`${error.message} ${seeHelp}`) : error;
  }
}

async function perform(command: Command, typed: Typed, deps: PartnerDeps): Promise<Report> {
  checkTarget(typed.options);
  const sure = typed.options.has('yes') || !command.dangerous?.(typed.options);
  if (!sure && !deps.terminal.ask) {
    throw wrongUsage(
      `It asks for ${typedFirst(command)} before it goes on, and nobody is here to answer: add --yes.`,
    );
  }
  let target: Target | undefined;
  try {
    target = await findTable(typed.options);
    return await command.run(callOf(typed, target, { ...deps, sure, asksFor: typedFirst(command) }));
  } catch (error) {
    if (target?.local && isUnreachable(error)) throw failed(notRunning(stateDirOf(typed.options)));
    const sentence = tableTrouble(error);
    throw sentence === undefined ? error : failed(sentence);
  } finally {
    target?.table.client.destroy();
  }
}

function callOf(
  typed: Typed,
  { table, addresses }: Target,
  { sure, asksFor, ...deps }: PartnerDeps & { sure: boolean; asksFor: string },
): Call {
  return {
    ...typed,
    ...deps,
    table,
    addresses,
    partners: partnerAdminStore(table),
    endpoints: endpointStore(table),
    callbacks: callbackStore(table),
    archive: callbackArchive(table),
    confirm: async (expected, consequence) => {
      if (sure) return;
      const response = await deps.terminal.ask?.(`${consequence}\nType ${asksFor} to go on: `);
      if (response?.trim() !== expected) throw failed(`That is not ${expected}: nothing was changed.`);
    },
  };
}
