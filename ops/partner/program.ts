import { Command, type CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import { type CommandDeps, failure, runProgram } from '../cli/command-line.ts';
import { printable } from '../cli/formats.ts';
import {
  partnerCommandOn,
  stageOption,
  stateOption,
  tableOption,
  targetText,
  withTarget,
} from '../cli/target.ts';
import { callbackCommands } from './callback.ts';
import { callbacksCommands } from './callbacks.ts';
import { erasePartnerCommand, eraseRecipientCommand, neverGiven } from './erase.ts';
import { eventsCommand } from './events.ts';
import { keyCommands } from './keys.ts';
import { limitsCommand } from './limits.ts';
import { offerCommands, partnerCommands } from './partners.ts';
import { type Run, sessionOn } from './session.ts';
import { showCommand } from './show.ts';

export function partnerProgram(run: Run) {
  const program = new Command('npm run partner --')
    .description('Administers partners: their keys, offers, limits and callbacks.')
    .addOption(stateOption)
    .addOption(stageOption)
    .addOption(tableOption)
    .option('--yes', 'Go on without typing what the command prompts for')
    .option('--json', 'Print one JSON document and nothing else')
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (command) => new Help().subcommandTerm(command).replace(` ${neverGiven}`, ''),
    })
    .addHelpText('after', afterHelp);
  const commands = [
    ...partnerCommands(run),
    showCommand(run),
    group('offers', 'The offers of a partner', offerCommands(run)),
    group('keys', 'The keys of a partner, and what each may do', keyCommands(run)),
    group('callback', 'Where and how a partner is called back', callbackCommands(run)),
    group('callbacks', 'Callbacks that were not delivered at once', callbacksCommands(run)),
    limitsCommand(run),
    eventsCommand(run),
    erasePartnerCommand(run),
    eraseRecipientCommand(run),
  ];
  for (const command of commands) program.addCommand(command);
  return program;
}

function group(name: string, subject: string, commands: readonly CommandUnknownOpts[]) {
  const names = commands.map((command) => command.name()).join(', ');
  const parent = new Command(name).description(`${subject}: ${names}.`);
  for (const command of commands) parent.addCommand(command);
  return parent;
}

const afterHelp = `
Without --stage and --table a command works on the local service that npm start runs. With one of them it works
in AWS, with region and credentials from the usual environment (AWS_PROFILE, AWS_REGION). Commands that are hard
to undo prompt first; --yes answers for you, and is needed where there is no terminal. For programs:
npm run --silent partner -- list --json.

Exit codes: 0 done, 1 failed or not found, 2 wrong usage.`;

/** Runs a command of the program and returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runPartner(words: readonly string[], deps: CommandDeps): Promise<0 | 1 | 2> {
  const program = partnerProgram((work) => async (...args) => {
    const { json, yes, ...options } = program.opts();
    const toRun = (words: string) => partnerCommandOn(options, words);
    const isNamed = program.getOptionValueSource('state') !== 'default' || options.stage || options.table;
    if (!isNamed && !json) deps.terminal.printError(`This is ${targetText(options)}.`);
    const report = await withTarget(options, (target) =>
      work(sessionOn(target, deps, { yes, on: targetText(options), toRun }), ...args),
    );
    deps.terminal.print(printable(json ? JSON.stringify(report.json, null, 2) : report.text));
    if (report.failed !== undefined) throw failure(report.failed);
  });
  return runProgram(program, words, deps.terminal);
}
