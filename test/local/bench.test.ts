import { expect, test } from 'vitest';
import { type Figure, measureGrowth } from '../../bench/figure.ts';
import { listMisses } from '../../bench/print.ts';

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
