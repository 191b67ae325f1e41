import { expect, test } from 'vitest';
import { type Figure, isMissed, measureGrowth, ratioOf } from '../../bench/figure.ts';
import { compared, measure, median, quantile } from '../../bench/measure.ts';
import { formatTable, listMisses } from '../../bench/print.ts';
import { runNode } from '../support/run-node.ts';

function bench(...args: string[]) {
  return runNode(['bench/bench.ts', ...args]);
}

test('an unknown section is one sentence that lists the known ones, and exit code 2', async () => {
  const { code, out, err } = await bench('lukewarm');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(
    /^error: command-argument value 'lukewarm' is invalid for argument 'section'\. Allowed choices are cold, warm, units.*\.\n$/,
  );
});

test('quantiles lie between the values', () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(quantile([10, 20, 30, 40, 50], 0.9)).toBe(46);
  expect(() => median([])).toThrow('nothing was measured');
});

test('a figure that misses its budget is taken from three times as many rounds, and one within it is not', async () => {
  const ratio = async (subjects: number[]) => {
    let rounds = 0;
    const next = async () => subjects[rounds++] ?? 1;
    const figures = await measure(
      2,
      next,
      async () => 1,
      (found) => [
        {
          what: 'module load',
          unit: 'ms',
          ...compared('bare', found, (value) => value),
          budget: { of: 'ratio', atMost: 1 },
        },
      ],
    );
    return { rounds, missed: figures.some(isMissed) };
  };
  expect(await ratio([1, 1])).toEqual({ rounds: 2, missed: false });
  expect(await ratio([9, 9])).toEqual({ rounds: 6, missed: false });
  expect(await ratio([9, 9, 9, 9])).toEqual({ rounds: 6, missed: true });
});

const within: Figure = {
  what: 'SendMessage, warm CPU',
  unit: 'us',
  median: 1_200,
  baseline: { what: 'bare', median: 1_000 },
  budget: { of: 'ratio', atMost: 1.5 },
};

test('a budget for a value holds up to its bound and not beyond', () => {
  const rate: Figure = {
    what: 'callbacks',
    unit: 'per s',
    median: 60,
    budget: { of: 'median', atLeast: 60 },
  };
  expect(isMissed(rate)).toBe(false);
  expect(isMissed({ ...rate, median: 59 })).toBe(true);
});

test('a budget for a ratio holds up to 5 % beyond its bound', () => {
  expect(ratioOf(within)).toBe(1.2);
  expect(isMissed({ ...within, median: 1_575 })).toBe(false);
  expect(isMissed({ ...within, median: 1_576 })).toBe(true);
  const atLeast: Figure = { ...within, budget: { of: 'ratio', atLeast: 1.2 } };
  expect(isMissed({ ...atLeast, median: 1_140 })).toBe(false);
  expect(isMissed({ ...atLeast, median: 1_139 })).toBe(true);
});

test('a missed budget is named in one sentence', () => {
  const missed = { ...within, median: 1_700 };
  expect(formatTable([missed])).toContain('| 1.70  | ratio <= 1.5 | MISSED |');
  expect(listMisses('warm', [within, missed])).toEqual([
    'warm: SendMessage, warm CPU: 1,700 us, ratio 1.70; the budget is ratio <= 1.5.',
  ]);
});

/** Returns one figure per size, not in order. */
function seriesOf(of: string, valueAt: (size: number) => number): Figure[] {
  return [1_000, 10, 100].map((size) => ({
    what: `${of}, ${size}`,
    unit: 'ms',
    median: valueAt(size),
    series: { of, size },
  }));
}

test('what grows faster than its size misses a budget', () => {
  const figures = measureGrowth(seriesOf('naive', (size) => size ** 2));
  expect(listMisses('sync', figures)).toEqual([
    'sync: growth of naive, 100 to 1,000: 2 power; the budget is median <= 1.1.',
  ]);
});
