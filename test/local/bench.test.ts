import { expect, test } from 'vitest';
import { isMissed, ratioOf } from '../../bench/budget.ts';
import { readBenchCommand } from '../../bench/command-line.ts';
import { growthOf, wordFor } from '../../bench/growth.ts';
import { alternate, median, middle, quantile, spread } from '../../bench/measure.ts';
import { amount, growthTableOf, missesOf, tableOf } from '../../bench/print.ts';
import type { Figure, Section } from '../../bench/section.ts';
import { runNode } from '../support/run-node.ts';

function bench(...args: string[]) {
  return runNode(['bench/bench.ts', ...args]);
}

test('--help lists the sections and the options and measures nothing', async () => {
  const { code, out, err } = await bench('cold', '--help');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const word of ['cold', 'warm', 'http', '--json', '--check', '--help']) expect(out).toContain(word);
});

test('an unknown section is one sentence that lists the known ones, and exit code 2', async () => {
  const { code, out, err } = await bench('lukewarm');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^There is no section "lukewarm", choose of cold, warm, http.*\.\n$/);
});

function section(name: string): Section {
  return { name, about: `about ${name}`, run: async () => [] };
}

test('sections run in their own order, whatever order they are named in, and all when none is named', () => {
  const all = [section('one'), section('two'), section('three')];
  const chosen = (...args: string[]) => {
    const command = readBenchCommand(args, all);
    return command.kind === 'bench' ? command.sections.map(({ name }) => name) : command.kind;
  };
  expect(chosen('three', 'one')).toEqual(['one', 'three']);
  expect(chosen('--check')).toEqual(['one', 'two', 'three']);
  expect(readBenchCommand(['--fast'], all)).toEqual({
    kind: 'mistake',
    sentence: "Unknown option '--fast': --help lists the options.",
  });
});

test('quantiles lie between the values, and the spread is half the distance of the quartiles', () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(quantile([10, 20, 30, 40, 50], 0.9)).toBe(46);
  expect(spread([1, 2, 3, 4, 5])).toBe(1);
  expect(middle([1, 2, 3, 4, 5])).toEqual({ median: 3, spread: 1 });
  expect(middle([7])).toEqual({ median: 7 });
  expect(() => median([])).toThrow('nothing was measured');
});

test('the one and the other are measured in turns, and neither is always first', async () => {
  const order: string[] = [];
  const measure = (name: string) => async () => {
    order.push(name);
    return order.length;
  };
  const found = await alternate(3, measure('A'), measure('B'));
  expect(order).toEqual(['A', 'B', 'B', 'A', 'A', 'B']);
  expect(found).toEqual({ subject: [1, 4, 5], baseline: [2, 3, 6] });
});

const within: Figure = {
  what: 'SendMessage, warm CPU',
  unit: 'us',
  median: 1_200,
  spread: 25.4,
  baseline: { what: 'bare', median: 1_000 },
  budget: { of: 'ratio', atMost: 1.5 },
};

test('a budget holds up to its bound and not beyond', () => {
  expect(ratioOf(within)).toBe(1.2);
  expect(isMissed({ ...within, median: 1_500 })).toBe(false);
  expect(isMissed({ ...within, median: 1_501 })).toBe(true);
  const rate: Figure = {
    what: 'callbacks',
    unit: 'per s',
    median: 60,
    budget: { of: 'median', atLeast: 60 },
  };
  expect(isMissed(rate)).toBe(false);
  expect(isMissed({ ...rate, median: 59 })).toBe(true);
});

test('a figure without its baseline misses a budget for the ratio', () => {
  const { baseline: _none, ...alone } = within;
  expect(isMissed(alone)).toBe(true);
  expect(isMissed({ ...within, baseline: { what: 'bare', median: 0 } })).toBe(true);
});

test('a table shows a figure with its spread, baseline, ratio and budget', () => {
  expect(tableOf([within, { what: 'bundle', unit: 'kB', median: 372.769 }]).split('\n')).toEqual([
    '|                       | median | ±    | unit | baseline   | ratio | budget       |     |',
    '| --------------------- | ------ | ---- | ---- | ---------- | ----- | ------------ | --- |',
    '| SendMessage, warm CPU | 1,200  | 25.4 | us   | 1,000 bare | 1.20  | ratio <= 1.5 |     |',
    '| bundle                | 373    |      | kB   |            |       |              |     |',
  ]);
});

test('a missed budget is named in one sentence', () => {
  const missed = { ...within, median: 1_700 };
  expect(tableOf([missed])).toContain('| 1.70  | ratio <= 1.5 | MISSED |');
  expect(missesOf([{ section: 'warm', seconds: 1, figures: [within, missed] }])).toEqual([
    'warm: SendMessage, warm CPU: 1,700 us, ratio 1.70; the budget is ratio <= 1.5.',
  ]);
});

/** One figure a size, out of order. */
function seriesOf(of: string, valueAt: (size: number) => number): Figure[] {
  return [1_000, 10, 100].map((size) => ({
    what: `${of}, ${size}`,
    unit: 'ms',
    median: valueAt(size),
    series: { of, size },
  }));
}

test('growth is a fixed part, a part for each element, and the power at the large end', () => {
  const [line] = growthOf(seriesOf('line', (size) => 20 + 3 * size));
  expect(line).toMatchObject({ of: 'line', sizes: [10, 100, 1_000], values: [50, 320, 3_020] });
  expect(line?.fixed).toBeCloseTo(20, 6);
  expect(line?.each).toBeCloseTo(3, 6);
  expect(line?.exponent).toBeCloseTo(Math.log10(3_020 / 320), 6);
});

test.each([
  ['constant', () => 7],
  ['less than linear', (size: number) => 1_000 + size],
  ['linear', (size: number) => 1 + 2 * size],
  ['MORE THAN LINEAR', (size: number) => size ** 1.2],
  ['falls', (size: number) => 1_000 / size],
])('growth has the word %s', (word, valueAt) => {
  expect(growthOf(seriesOf('any', valueAt)).map(wordFor)).toEqual([word]);
});

test('two sizes, or nothing at all, are no growth', () => {
  expect(growthOf(seriesOf('short', (size) => size).slice(1))).toEqual([]);
  expect(growthOf(seriesOf('none', () => 0))).toEqual([]);
});

test('growth is a table, and what grows faster than its size is missed in one sentence', () => {
  const figures = seriesOf('naive', (size) => size ** 2);
  expect(growthTableOf(growthOf(figures)).split('\n')[2]).toMatch(
    /^\| naive +\| 10 \/ 100 \/ 1,000 +\| 100 \/ 10,000 \/ 1,000,000 +\| ms .*\| 2\.00 +\| MORE THAN LINEAR \|$/,
  );
  expect(missesOf([{ section: 'sync', seconds: 1, figures }])).toEqual([
    'sync: naive grows with the power 2.00 of its size; the budget is 1.1.',
  ]);
});

test.each([
  [1234.4, '1,234'],
  [99.96, '100'],
  [12.34, '12.3'],
  [0.020_34, '0.0203'],
])('%d is written %s', (value, written) => {
  expect(amount(value)).toBe(written);
});
