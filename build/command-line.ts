import { CommanderError, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';

/** Ends a command with one sentence on stderr: exit code 1 when it failed, 2 for wrong usage. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: 1 | 2;

  constructor(exitCode: 1 | 2, sentence: string) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

export function failure(sentence: string): CommandError {
  return new CommandError(1, sentence);
}

export function usageError(sentence: string): CommandError {
  return new CommandError(2, sentence);
}

export interface Output {
  print(text: string): void;
  printError(text: string): void;
}

export const standardOutput: Output = { print: console.log, printError: console.error };

/** Parses the arguments and runs the action of the command; returns the exit code. */
export async function runProgram(
  program: CommandUnknownOpts,
  args: readonly string[] = process.argv.slice(2),
  output: Output = standardOutput,
): Promise<0 | 1 | 2> {
  try {
    await prepared(program, output).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return exitCodeOf(error, output);
  }
}

/** For a program without an action: parses the arguments, or ends the process after its help (0) or wrong usage (2). */
export function parseOrExit<Program extends CommandUnknownOpts>(
  program: Program,
  args: readonly string[] = process.argv.slice(2),
): Program {
  try {
    prepared(program, standardOutput).parse([...args], { from: 'user' });
    return program;
  } catch (error) {
    process.exit(exitCodeOf(error, standardOutput));
  }
}

function exitCodeOf(error: unknown, output: Output): 0 | 1 | 2 {
  // Only help ends in an error of commander's own here.
  if (error instanceof CommanderError) return 0;
  if (!(error instanceof CommandError)) throw error;
  output.printError(error.message);
  return error.exitCode;
}

/** Makes the command and its subcommands throw what commander would print before it exits with 1. */
function prepared(command: CommandUnknownOpts, output: Output): CommandUnknownOpts {
  let printed = '';
  if (!command.parent) command.helpOption('-h, --help', 'Show this text');
  command
    .configureOutput({
      writeOut: (text) => output.print(text.trimEnd()),
      writeErr: (text) => {
        printed += text;
      },
    })
    .exitOverride((error) => {
      if (error.exitCode === 0) throw error;
      // A command that only groups others was typed alone, and is answered with its help.
      throw usageError(error.code === 'commander.help' ? printed.trimEnd() : sentenceOf(error, command));
    });
  for (const subcommand of command.commands) prepared(subcommand.copyInheritedSettings(command), output);
  return command;
}

/** Commander's messages quote an option with its placeholder; these name it as it is typed. */
const rewordings: readonly [RegExp, string][] = [
  [
    /^option '.*?(--[\w-]+).*' cannot be used with option '.*?(--[\w-]+).*'$/,
    '$1 and $2 exclude each other.',
  ],
  [/^required option '.*?(--[\w-]+).*' not specified$/, '$1 is missing.'],
  [/^option '.*?(--[\w-]+).*' argument missing$/, '$1 lacks its value.'],
  [/^option '.*?(--[\w-]+).*' argument '(.*)' is invalid\. (.*)\.$/s, '$1 $3, not "$2".'],
  [/^command-argument value '(.*)' is invalid for argument '(.*)'\. (.*)\.$/s, '$2 $3, not "$1".'],
];

function sentenceOf({ code, message }: CommanderError, command: CommandUnknownOpts): string {
  const text =
    code === 'commander.excessArguments'
      ? `unexpected argument '${command.args[command.registeredArguments.length]}'`
      : message.replace(/^error: /, '').replace('\n', ' ');
  const [pattern, sentence] = rewordings.find(([pattern]) => pattern.test(text)) ?? [];
  if (pattern && sentence) return text.replace(pattern, sentence);
  const lists = command.commands.length > 0 ? 'lists the commands' : 'lists the options';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}: ${helpOptionOf(command)} ${lists}.`;
}

/** As it is typed for a subcommand; a program's own needs no name before it. */
function helpOptionOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command)} --help` : '--help';
}

function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** Reads the value of an option or argument: a whole number, from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,15}$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`takes a whole number from ${least} to ${most}.`);
  };
}
