import { expect, test } from 'vitest';
import { help, readOptions } from '../../../bench/capacity/options.ts';

test('a preset may be changed number by number', () => {
  expect(readOptions(['national-retailer', '--hours', '0.5', '--bulk-size', '1'])).toMatchObject({
    kind: 'report',
    name: 'national-retailer, changed',
    load: { hours: 0.5, bulkSize: 1, partners: 10, pushesAMinute: 50_000 },
    json: false,
  });
  expect(readOptions(['--json'])).toMatchObject({ kind: 'report', name: 'small-chain', json: true });
});

test('what cannot be meant is answered with a sentence', () => {
  const sentence = (...args: string[]) => {
    const command = readOptions(args);
    return command.kind === 'mistake' ? command.sentence : command.kind;
  };
  expect(sentence('huge')).toBe('"huge" is no preset: small-chain, national-retailer, million-a-minute.');
  expect(sentence('--hours', '25')).toBe('--hours takes a number from 0 to 24, not "25".');
  expect(sentence('--partners', '1.5')).toBe('--partners takes a whole number from 1 to 100,000, not "1.5".');
  expect(sentence('--bulk-size', '')).toBe('--bulk-size takes a whole number from 1 to 10,000, not "".');
  expect(sentence('--places', 'many')).toBe('--places takes a whole number from 0 to 100,000, not "many".');
  expect(sentence('--partners', '-1')).toBe('--partners takes a whole number from 1 to 100,000, not "-1".');
  expect(sentence('--partners', '--json')).toBe(
    "Option '--partners' lacks its value: --help lists the options.",
  );
  expect(sentence('--simulate', '--partners', '5')).toBe('--simulate and --partners do not go together.');
  expect(sentence('small-chain', '--memory')).toBe('--memory and small-chain do not go together.');
  expect(sentence('--plot', '--json')).toBe('--plot and --json do not go together.');
  expect(sentence('--simulate', '--json')).toBe('simulate');
  expect(sentence('--colour')).toBe("Unknown option '--colour': --help lists the options.");
});

test('help names every option', () => {
  expect(readOptions(['--help'])).toEqual({ kind: 'help' });
  for (const option of ['--partners', '--failing-callbacks-percent', '--simulate', '--plot', '--json']) {
    expect(help).toContain(option);
  }
});
