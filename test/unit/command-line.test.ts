import { Command } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { failure, runProgram } from '../../ops/cli/command-line.ts';
import { wholeNumber } from '../../ops/cli/option-values.ts';

/** Runs a program with one subcommand, as `npm run tool --` does. */
async function run(line: string, action = async () => {}) {
  const printed: string[] = [];
  const errors: string[] = [];
  const program = new Command('npm run tool --')
    .option('--stage <stage>', 'A stage')
    .addCommand(
      new Command('send')
        .argument('<id>', 'Whom', wholeNumber(1, 9))
        .requiredOption('--to <address>', 'Where')
        .option('-n, --limit <n>', 'How many', wholeNumber(1, 10))
        .action(action),
    );
  const exit = await runProgram(program, line.split(' ').filter(Boolean), {
    print: (text) => printed.push(text),
    printError: (text) => errors.push(text),
  });
  return { exit, out: printed.join('\n'), err: errors.join('\n') };
}

test.each([
  ['sent', "error: unknown command 'sent'\n(Did you mean send?)"],
  [
    'send 1 --to a --limit -5',
    "error: option '-n, --limit <n>' argument '-5' is invalid. It takes a whole number from 1 to 10.",
  ],
])('%s is wrong usage: the message of commander, exit code 2', async (line, err) => {
  expect(await run(line)).toEqual({ exit: 2, out: '', err });
});

test('a command that fails says why in one sentence, with exit code 1', async () => {
  const fails = async () => {
    throw failure('Nobody is there.');
  };
  expect(await run('send 1 --to a', fails)).toEqual({ exit: 1, out: '', err: 'Nobody is there.' });
});
