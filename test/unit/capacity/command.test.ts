import { expect, test } from 'vitest';
import { capacityCommand, type Question } from '../../../bench/capacity/command.ts';

/** What was asked for, or the sentence that refuses it. */
function read(...args: string[]): Question | string {
  let result: Question | string = 'nothing';
  const command = capacityCommand((question) => {
    result = question;
  });
  command.exitOverride().configureOutput({
    writeErr: (text) => {
      result = text.trim();
    },
  });
  try {
    command.parse(args, { from: 'user' });
  } catch {
    // The sentence was written before.
  }
  return result;
}

test('a preset may be changed number by number', () => {
  expect(read('national-retailer', '--hours', '0.5', '--bulk-size', '1')).toMatchObject({
    name: 'national-retailer, changed',
    load: { hours: 0.5, bulkSize: 1, partners: 10, pushesAMinute: 50_000 },
    json: false,
  });
  expect(read('--json')).toMatchObject({ name: 'small-chain', json: true });
  expect(read('--check-ins-a-day', '7')).toMatchObject({ load: { checkInsADay: 7 } });
});

test.each([
  [['huge'], 'Allowed choices are small-chain, national-retailer, million-a-minute.'],
  [['--hours', '25'], "argument '25' is invalid. It must be a number from 0 to 24."],
  [['--partners', '1.5'], "argument '1.5' is invalid. It must be a whole number from 1 to 100,000."],
  [['--bulk-size', ''], "argument '' is invalid. It must be a whole number from 1 to 10,000."],
  [['--places', 'many'], "argument 'many' is invalid. It must be a whole number from 0 to 100,000."],
  [['--partners', '-1'], "argument '-1' is invalid. It must be a whole number from 1 to 100,000."],
  [['--partners', '--json'], "argument '--json' is invalid. It must be a whole number from 1 to 100,000."],
  [['--colour'], "error: unknown option '--colour'"],
])('%j is refused in one sentence', (args, end) => {
  const sentence = read(...args);
  expect(sentence).toMatch(/^error: [^\n]*$/);
  expect(String(sentence).endsWith(end)).toBe(true);
});

test('help names every preset and option', () => {
  const help = capacityCommand(() => undefined).helpInformation();
  for (const word of ['small-chain', '--partners', '--failing-callbacks-percent', '--json']) {
    expect(help).toContain(word);
  }
});
