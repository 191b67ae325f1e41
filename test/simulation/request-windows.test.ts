import { describe, expect, test } from 'vitest';
import { type BudgetedRequest, needlessRefusals, overfull } from './request-windows.ts';

/** `5 x a` are five requests that instance a served, each within a second; `3 x a!` are three that it refused. */
function requestsOf(second: number, text: string): BudgetedRequest[] {
  return Array.from(text.matchAll(/(\d+) x (\w)(!?)/g), ([, count, servedBy, mark]) =>
    Array.from({ length: Number(count) }, (_, n) => ({
      startedAt: second * 1_000 + n,
      endedAt: second * 1_000 + 999,
      isRefused: mark === '!',
      servedBy,
    })),
  ).flat();
}

const exact = { skewMs: 0, countedAtMost: 1 };

describe('rule 48: of a budget of 10, at most 15 requests pass in a window, and 3 more for each instance', () => {
  test.each([
    ['18 pass at one instance', requestsOf(3, '18 x a, 9 x a!'), []],
    ['19 pass at one instance', requestsOf(3, '19 x a'), ['19 passed in window 0, 18 at most']],
    ['21 pass at two instances', requestsOf(3, '10 x a, 11 x b'), []],
    ['18 pass in each of two windows', requestsOf(3, '18 x a').concat(requestsOf(13, '18 x a')), []],
  ])('%s', (_, requests, wrong) => {
    expect(overfull(requests, 10)).toEqual(wrong);
  });

  test('a request that lasts into the next window may have been counted there', () => {
    const long = requestsOf(9, '19 x a').map((one) => ({ ...one, endedAt: 10_001 }));
    expect(overfull(long, 10)).toEqual([]);
  });
});

describe('rule 48: nothing is refused before a budget of 10 is used up', () => {
  test.each([
    ['the eleventh of a window is refused', requestsOf(3, '10 x a, 1 x a!'), exact, []],
    ['the tenth is refused', requestsOf(3, '9 x a, 1 x b!'), exact, ['refused at 3999 after 9 of 10']],
    [
      'the budget was used up in the window before',
      requestsOf(9, '10 x a').concat(requestsOf(10, '1 x a!')),
      exact,
      ['refused at 10999 after 0 of 10'],
    ],
    [
      'the clock of the instance is a second late',
      requestsOf(9, '10 x a').concat(requestsOf(10, '1 x a!')),
      { skewMs: 1_000, countedAtMost: 1 },
      [],
    ],
    ['every request was counted twice', requestsOf(3, '5 x a, 1 x a!'), { skewMs: 0, countedAtMost: 2 }, []],
  ])('%s', (_, requests, faults, wrong) => {
    expect(needlessRefusals(requests, 10, faults)).toEqual(wrong);
  });
});
