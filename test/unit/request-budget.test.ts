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

test('rule 48: a body counts once more for each further 4,000,000 characters or 500,000 sent bytes begun', () => {
  const more = (characters: number, sentBytes = 0) =>
    moreForBody({ text: ' '.repeat(characters), sentBytes });
  expect([0, 4_000_000, 4_000_001, 8_000_000, 64_000_000].map((one) => more(one))).toEqual([0, 0, 1, 1, 15]);
  expect([500_000, 500_001, 4_700_000].map((one) => more(1, one))).toEqual([0, 1, 9]);
  expect(more(9_000_000, 1_000_001)).toBe(2);
});

test('rule 48: these operations are taken from the budget of cash desks or of heavy requests, or count as several', () => {
  const idsOf = (budget: string | undefined, requests?: number) =>
    operations
      .filter((operation) => operation.budget === budget && operation.requests === requests)
      .map(({ id }) => id)
      .sort()
      .join(' ');
  expect({
    tills: idsOf('tills'),
    heavy: idsOf('heavy'),
    of2: idsOf(undefined, 2),
    of3: idsOf(undefined, 3),
    of4: idsOf(undefined, 4),
    of5: idsOf(undefined, 5),
    of9: idsOf(undefined, 9),
    of10: idsOf(undefined, 10),
    of20: idsOf(undefined, 20),
    of50: idsOf(undefined, 50),
  }).toEqual({
    tills: 'ListCheckIns RegisterCheckIn',
    heavy: 'ExamineEndpoint GetSendReport ReplayCallbacks SendBulk SendMulti StartSync',
    of2: 'GetEndpoint',
    of3: 'ListCallbacks ListKeys',
    of4: 'GetPhone GetSandboxReceiver OpenPhoneMessage',
    of5: 'ListPlaces',
    of9: 'DeletePhone ListActivePromotions ListPromotions',
    of10: 'CreatePromotion UpdatePromotion',
    of20: 'PutSandboxReceiver',
    of50: 'CreateKey DeleteAlerts DeleteKey DisableEndpoint EnableEndpoint PutAlerts PutEndpoint RetireEndpointSecret RetireKey RotateEndpointSecret RotateKey',
  });
});
