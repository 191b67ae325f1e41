import { expect, test } from 'vitest';
import {
  budgetLimit,
  budgetRules,
  moreForBody,
  overBudget,
  reportEvery,
  reportsAtOnce,
} from '../../shared/platform/limits/request-budget.ts';

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

test('rule 48: a budget is what was agreed, or the standard', () => {
  expect([budgetLimit({}, 'tills'), budgetLimit({}, 'heavy'), budgetLimit({}, 'others')]).toEqual([
    1_000, 60, 1_000,
  ]);
  const agreed = { tillRequests: 7, heavyRequests: 8, otherRequests: 9 };
  expect([budgetLimit(agreed, 'tills'), budgetLimit(agreed, 'heavy'), budgetLimit(agreed, 'others')]).toEqual(
    [7, 8, 9],
  );
});

test('an instance serves three requests before it first reports them, but one that is heavy', () => {
  expect([budgetRules.tills.unseen, budgetRules.heavy.unseen, budgetRules.others.unseen]).toEqual([3, 1, 3]);
});

test('an instance reports every 20 requests, and more often the more instances report', () => {
  const every = (limit: number, instances: number) => reportEvery(limit, { requests: 0, instances });
  expect([1, 3, 4, 10, 62, 63, 500].map((instances) => every(1_000, instances))).toEqual([
    20, 20, 15, 6, 1, 1, 1,
  ]);
  expect([every(60, 1), every(60, 2), every(60, 4)]).toEqual([3, 1, 1]);
  // No more than are left, so that one instance serves exactly the budget.
  expect([980, 992, 1_000].map((requests) => reportEvery(1_000, { requests, instances: 1 }))).toEqual([
    20, 8, 1,
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

test('an instance that saw a partner use a tenth of its budget in the last minute reports from the first request on', () => {
  const seen = (requests: number, windowsAgo: number) =>
    reportsAtOnce(
      { limit: 1_000, unseen: 3 },
      { reported: { requests, instances: 1 }, unreported: 3, windowsAgo },
    );
  expect([seen(100, 6), seen(100, 7), seen(99, 1)]).toEqual([true, false, false]);
});

test('an instance that served all it may serve unseen in the last window reports from the first request on', () => {
  const served = (unreported: number, windowsAgo: number) =>
    reportsAtOnce(
      { limit: 1_000, unseen: 3 },
      { reported: { requests: 0, instances: 0 }, unreported, windowsAgo },
    );
  expect([served(3, 1), served(3, 2), served(2, 1)]).toEqual([true, false, false]);
});

test('rule 48: a body counts once more for each further 4,000,000 characters or 500,000 sent bytes begun', () => {
  const more = (characters: number, sentBytes = 0) =>
    moreForBody({ text: ' '.repeat(characters), sentBytes });
  expect([0, 4_000_000, 4_000_001, 8_000_000, 64_000_000].map((one) => more(one))).toEqual([0, 0, 1, 1, 15]);
  expect([500_000, 500_001, 4_700_000].map((one) => more(1, one))).toEqual([0, 1, 9]);
  expect(more(9_000_000, 1_000_001)).toBe(2);
});
