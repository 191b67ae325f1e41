import { expect, test } from 'vitest';
import { operations } from '../../infra/operations.ts';
import { moreForBody, reportEvery } from '../../shared/platform/limits/request-budget.ts';

test('rule 48: whatever number of instances reports, less than a fifth of the budget is unreported', () => {
  for (const limit of [60, 1_000, 5_000, 100_000])
    for (const instances of [1, 10, 100, 1_000]) {
      let unreported = 0;
      for (let nth = 1; nth <= instances; nth++)
        unreported += reportEvery(limit, { requests: 0, instances: nth }) - 1;
      expect(unreported).toBeLessThan(limit / 5);
    }
});

test('rule 48: a body counts once more for each further 2,000,000 characters or 500,000 sent bytes begun', () => {
  const more = (characters: number, sentBytes = 0) =>
    moreForBody({ text: ' '.repeat(characters), sentBytes });
  expect([0, 2_000_000, 2_000_001, 4_000_000, 64_000_000].map((one) => more(one))).toEqual([0, 0, 1, 1, 31]);
  expect([500_000, 500_001, 4_700_000].map((one) => more(1, one))).toEqual([0, 1, 9]);
  expect(more(9_000_000, 1_000_001)).toBe(4);
});

test('rule 48: these operations are taken from the budget of heavy requests', () => {
  const heavy = operations.filter(({ budget }) => budget === 'heavy').map(({ id }) => id);
  expect(heavy.sort().join(' ')).toBe(
    'ExamineEndpoint GetSendReport ReplayCallbacks SendBulk SendMulti StartSync',
  );
});
