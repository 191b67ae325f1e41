import { expect, test } from 'vitest';
import { moreForBody, overBudget, reportEvery } from '../../shared/platform/limits/request-budget.ts';

const at = Date.parse('2026-05-20T12:00:06.200Z');

test('rule 48: a refusal says how many requests in which time, and when to ask again', () => {
  expect(overBudget('others', 1_000, at)).toEqual({
    failure: 'REQUEST_LIMIT_EXCEEDED',
    errors: ['requests: 1,000 in 10 s over all keys of the partner, ask again in 4 s'],
    retryAfterSeconds: 4,
    headers: { 'ratelimit-policy': '"requests";q=1000;w=10', ratelimit: '"requests";r=0;t=4' },
  });
  expect(overBudget('tills', 1_000, at).errors).toEqual([
    'requests: 1,000 of cash desks in 10 s over all keys of the partner, ask again in 4 s',
  ]);
});

test('rule 48: whatever number of instances reports, less than a fifth of the budget is unreported', () => {
  for (const limit of [60, 1_000, 5_000, 100_000])
    for (const instances of [1, 10, 100, 1_000]) {
      let unreported = 0;
      for (let nth = 1; nth <= instances; nth++)
        unreported += reportEvery(limit, { requests: 0, instances: nth }) - 1;
      expect(unreported).toBeLessThan(limit / 5);
    }
});

test('rule 48: a body counts once more for each further 4,000,000 characters or 500,000 sent bytes begun', () => {
  const more = (characters: number, sentBytes = 0) =>
    moreForBody({ text: ' '.repeat(characters), sentBytes });
  expect([0, 4_000_000, 4_000_001, 8_000_000, 64_000_000].map((one) => more(one))).toEqual([0, 0, 1, 1, 15]);
  expect([500_000, 500_001, 4_700_000].map((one) => more(1, one))).toEqual([0, 1, 9]);
  expect(more(9_000_000, 1_000_001)).toBe(2);
});
