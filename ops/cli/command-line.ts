import { createInterface, type ReadLineOptions } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import {
  type Argument,
  CommanderError,
  type CommandUnknownOpts,
  InvalidArgumentError,
  type Option,
} from '@commander-js/extra-typings';
import { type Clock, systemClock } from '../../shared/platform/runtime/clock.ts';
import { type Ids, systemIds } from '../../shared/platform/runtime/ids.ts';
import { interruptible } from './interruptible.ts';

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

/** Parses the arguments and runs the action of the command; returns the exit code. */
export async function runProgram(
  program: CommandUnknownOpts,
  args: readonly string[] = process.argv.slice(2),
  output: Output = standardOutput(),
): Promise<0 | 1 | 2> {
  program.exitOverride().configureOutput({
    writeOut: (text) => output.print(text.trimEnd()),
    writeErr: (text) => output.printError(text.trimEnd()),
  });
  passSettingsOn(program);
  try {
    refuseIfTakenByNpm(program, args);
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed the help or the error. Its own exit code for wrong usage is 1.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof CommandError)) throw error;
    output.printError(error.message);
    return error.exitCode;
  }
}

/** Passes settings on to subcommands, which commander does only for those that it creates itself. */
function passSettingsOn(command: CommandUnknownOpts): void {
  for (const option of command.options) refuseOptionAsValue(option);
  for (const argument of command.registeredArguments) refuseEmpty(argument);
  for (const subcommand of command.commands) passSettingsOn(subcommand.copyInheritedSettings(command));
}

/** Options that npm has settings of the same name for, which machines may have set for npm itself. */
const settingsOfNpm: ReadonlySet<string> = new Set(['json', 'message', 'only', 'yes']);

/** Without `--` before it npm keeps an option for itself, and a command without its --dry-run would delete. */
function refuseIfTakenByNpm(command: CommandUnknownOpts, words: readonly string[], isChosen = true): void {
  // What npx was given is about npx.
  if (process.env['npm_command'] === 'exec') return;
  for (const { long = '' } of command.options) {
    const name = long.replace(/^--(no-)?/, '');
    const isSetting = settingsOfNpm.has(name);
    const isGiven = words.some((word) => word === long || word.startsWith(`${long}=`));
    // A command that lacks --yes prompts.
    if (name === 'yes' || (isSetting && (isGiven || !isChosen))) continue;
    if (process.env[`npm_config_${name.replaceAll('-', '_')}`] === undefined) continue;
    const remedy = `put -- before the words of the command${isSetting ? ", or take it out of npm's settings" : ''}`;
    throw usageError(`npm took --${name} for itself: ${remedy}.`);
  }
  for (const one of command.commands) refuseIfTakenByNpm(one, words, isChosen && words.includes(one.name()));
}

/** The word after an option is its value, whatever it is: an empty variable of a shell leaves the next option there. */
function refuseOptionAsValue(option: Option): void {
  if (!option.required) return;
  refuseEmpty(option);
  const { parseArg } = option;
  option.argParser((text, before) => {
    if (text.startsWith('--')) throw new InvalidArgumentError('It takes a value before the next option.');
    return parseArg ? parseArg(text, before) : text;
  });
}

/** An empty variable of a shell leaves an empty word. What parses its value refuses it in its own words. */
function refuseEmpty(taker: Option | Argument): void {
  if (taker.parseArg || taker.variadic) return;
  taker.argParser((text) => {
    if (text === '') throw new InvalidArgumentError('It must not be empty.');
    return text;
  });
}

type Output = {
  print(text: string): void;
  printError(text: string): void;
};

/**
 * A reader that has enough, such as `head`, does not end the program in the middle. Output that was lost otherwise, on a
 * full disk for example, may have had a secret: then the program does not end as if all were done.
 */
function standardOutput(): Output {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || process.listeners('exit').includes(failAtExit)) return;
    console.error(`The output could not be written (${code}): what was done is not undone.`);
    process.once('exit', failAtExit);
  });
  return { print: console.log, printError: console.error };
}

function failAtExit(): void {
  process.exitCode = 1;
}

/** Does work that takes long. If it fails, or Ctrl-C ends it, how far it came is said first. */
export function tellingHowFar<Done>(
  { printError }: Output,
  howFar: () => string,
  work: () => Promise<Done>,
): Promise<Done> {
  // The line of progress may be there.
  const stopped = () => printError(`\nStopped: ${howFar()} The same command goes on from there.`);
  return interruptible(stopped, () =>
    work().catch((error: unknown) => {
      printError(`It failed: ${howFar()}`);
      throw error;
    }),
  );
}

/** Where a command reads and writes. Results go to stdout, everything else to stderr. */
export type Terminal = Output & {
  /** Replaces the last line of progress; an empty text clears it. Absent if stderr is not a terminal. */
  progress?(text: string): void;
  /** Prompts the operator. Absent without a terminal. */
  ask?(question: string): Promise<string>;
  /**
   * Reads standard input to the end of a line. Text that came with the line follows it, so that a reader can refuse it.
   * Absent on a keyboard, where a password would be visible as it is typed.
   */
  readPiped?(): Promise<string>;
};

function ask(question: string): Promise<string> {
  return askOn({ input: process.stdin, output: process.stderr }, question);
}

/** Prompts on a terminal. No command changes anything before its prompts, so the operator may leave by Ctrl-C or Ctrl-D. */
export async function askOn(terminal: ReadLineOptions, question: string): Promise<string> {
  using lines = createInterface(terminal);
  try {
    return await lines.question(question);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    // The cursor is still behind the question.
    throw failure('\nNothing was changed.');
  }
}

/** Reads until a line has ended, because nobody may end the pipe, and so that a second line can be refused. */
export async function lineFrom(piped: Readable): Promise<string> {
  let read = '';
  for await (const text of piped.setEncoding('utf8')) {
    read += text;
    if (read.includes('\n')) break;
  }
  return read;
}

/** The parts that a program gets from outside, so that tests can replace them. */
export type CommandDeps = {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly ids: Ids;
};

export function systemDeps(): CommandDeps {
  const terminal: Terminal = {
    ...standardOutput(),
    ...(process.stderr.isTTY ? { progress: (line) => process.stderr.write(`\r\u001b[K${line}`) } : {}),
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
    ...(process.stdin.isTTY ? {} : { readPiped: () => lineFrom(process.stdin) }),
  };
  return { terminal, clock: systemClock, ids: systemIds };
}

type Prompt = { consequence: string; expected: string; name: string };

/** Prompts the operator, and fails unless the expected text is typed, which the prompt calls by its name. */
export async function confirm({ ask }: Terminal, { consequence, expected, name }: Prompt): Promise<void> {
  if (!ask) {
    const isTaken = process.env['npm_config_yes'] === 'true';
    const how = isTaken ? 'add --yes after a --, since npm took it for itself' : 'add --yes';
    throw usageError(`It prompts for ${name} before it continues, and there is no terminal: ${how}.`);
  }
  const response = await ask(`${consequence}\nType ${name} to go on: `);
  if (response.trim() !== expected) throw failure(`That is not ${expected}: nothing was changed.`);
}
