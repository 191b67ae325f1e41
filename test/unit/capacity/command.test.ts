import { expect, test } from 'vitest';
import { capacityCommand, type Question } from '../../../bench/capacity/command.ts';
import { runProgram } from '../../../ops/cli/command-line.ts';

/** Returns the question that the command line asks, or the sentence that refuses it with exit code 2. */
async function read(...args: string[]): Promise<Question | string> {
  let result: Question | string = 'nothing';
  const command = capacityCommand((question) => {
    result = question;
  });
  const output = {
    print: () => undefined,
    printError: (text: string) => {
      result = text;
    },
  };
  const exitCode = await runProgram(command, args, output);
  expect(exitCode).toBe(typeof result === 'string' ? 2 : 0);
  return result;
}

test('a preset may be changed number by number', async () => {
  expect(await read('national-retailer', '--hours', '0.5', '--bulk-size', '1')).toMatchObject({
    name: 'national-retailer, changed',
    load: { hours: 0.5, bulkSize: 1, partners: 10, pushesAMinute: 50_000 },
    json: false,
  });
  expect(await read('--json')).toMatchObject({ name: 'small-chain', json: true });
  expect(await read('--check-ins-a-day', '7')).toMatchObject({ load: { checkInsADay: 7 } });
});

test.each([
  [
    ['huge'],
    "error: command-argument value 'huge' is invalid for argument 'preset'. Allowed choices are small-chain, national-retailer, million-a-minute, sandbox-idle, sandbox.",
  ],
  [
    ['--hours', '25'],
    "error: option '--hours <n>' argument '25' is invalid. It takes a number from 0 to 24.",
  ],
  [
    ['--partners', '1.5'],
    "error: option '--partners <n>' argument '1.5' is invalid. It takes a whole number from 1 to 100,000.",
  ],
])('%j is refused in one sentence', async (args, sentence) => {
  expect(await read(...args)).toBe(sentence);
});
