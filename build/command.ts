import { Command } from '@commander-js/extra-typings';

/** A command of this repository. A mistake in its use ends with exit code 2; everything else that fails, with 1. */
export function newCommand(name: string): Command {
  return new Command(name).exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** Something that whoever runs the command can fix. Its message is one sentence, shown without a stack trace. */
export class CommandError extends Error {
  override name = 'CommandError';
}
