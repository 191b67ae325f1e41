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
  program.exitOverride().configureOutput({
    writeOut: (text) => output.print(text.trimEnd()),
    writeErr: (text) => output.printError(text.trimEnd()),
  });
  passSettingsOn(program);
  try {
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
  for (const subcommand of command.commands) passSettingsOn(subcommand.copyInheritedSettings(command));
}

/** Reads the value of an option or argument: a whole number, from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,15}$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
  };
}
