import { expect, test } from 'vitest';
import { type Figure, isMissed, measureGrowth } from '../../bench/figure.ts';
import { compared, measure, median, quantile } from '../../bench/measure.ts';
import { listMisses } from '../../bench/print.ts';

test('quantiles lie between the values', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(quantile([10, 20, 30, 40, 50], 0.9)).toBe(46);
});

test('a figure that misses its budget is taken from three times as many rounds, and one within it is not', async () => {
  const ratio = async (subjects: number[]) => {
    let rounds = 0;
    const next = async () => subjects[rounds++] ?? 1;
    const budget = { of: 'ratio', atMost: 1 } as const;
    const figures = await measure(
      2,
      next,
      async () => 1,
      (found) => [{ what: 'module load', unit: 'ms', ...compared('bare', found, (value) => value), budget }],
    );
    return { rounds, missed: figures.some(isMissed) };
  };
  expect(await ratio([1, 1])).toEqual({ rounds: 2, missed: false });
  expect(await ratio([9, 9, 9, 9])).toEqual({ rounds: 6, missed: true });
});

test('a missed budget is named in one sentence: of a value, of a ratio beyond 5 %, and of what grows faster than its size', () => {
  const rate: Figure = {
    what: 'callbacks',
    unit: 'per s',
    median: 59,
    budget: { of: 'median', atLeast: 60 },
  };
  const warm: Figure = {
    what: 'SendMessage',
    unit: 'us',
    median: 1_576,
    baseline: { what: 'bare', median: 1_000 },
    budget: { of: 'ratio', atMost: 1.5 },
  };
  const within = [
    { ...rate, median: 60 },
    { ...warm, median: 1_575 },
  ];
  const growth = measureGrowth(
    [1_000, 10, 100].map((size) => ({
      ...{ what: `naive, ${size}`, unit: 'ms' as const, median: size ** 2 },
      series: { of: 'naive', size },
    })),
  );
  expect(listMisses('all', [rate, warm, ...within, ...growth])).toEqual([
    'all: callbacks: 59 per s; the budget is median >= 60.',
    'all: SendMessage: 1,576 us, ratio 1.58; the budget is ratio <= 1.5.',
    'all: growth of naive, 100 to 1,000: 2 power; the budget is median <= 1.1.',
  ]);
});
