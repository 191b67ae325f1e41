import { expect, test } from 'vitest';
import { behaviors } from '../../../console/pages/phone/behaviors.ts';
import { makeReceipts } from '../../../shared/sandbox/test-numbers.ts';

const ordinary = 79_001_234_567;

/** What the simulated wallet platform reports about a message, with a phone of the partner or without one. */
function reportsOf(msisdn: number, { byHand = false, hasDeadline = true } = {}) {
  const arrival = { nowMs: 0, delaySeconds: 2, byHand, deadline: hasDeadline ? 600_000 : undefined };
  return makeReceipts({ messageId: 'm', msisdn }, arrival).map(
    ({ receipt: { state, time }, afterSeconds }) =>
      `${state} at ${Date.parse(time) / 1_000}, after ${afterSeconds}`,
  );
}

test('rule 39: other numbers show a message after 2 s and open it 2 s later, but a phone waits for a tap', () => {
  expect(reportsOf(ordinary)).toEqual(['DELIVERED at 2, after 2', 'OPENED at 4, after 4']);
  expect(reportsOf(ordinary, { byHand: true })).toEqual(['DELIVERED at 2, after 2']);
});

test.each([
  ['79999990001', /never registered/, ['DELIVERED at 2, after 2']],
  ['79999990002', /never shows/, []],
  ['79999990003', /shows messages, and opens none/, ['DELIVERED at 2, after 2']],
  [
    '79999990004',
    /shows and opens .* by itself, and reports each state twice/,
    ['DELIVERED at 2, after 2', 'OPENED at 4, after 4', 'DELIVERED at 2, after 3', 'OPENED at 4, after 5'],
  ],
  [
    '79999990005',
    /shows and opens .* by itself, and reports first that they were opened/,
    ['OPENED at 4, after 4', 'DELIVERED at 2, after 5'],
  ],
  [
    '79999990006',
    /shows messages after 2 minutes, and then opens them by itself/,
    ['DELIVERED at 120, after 120', 'OPENED at 122, after 122'],
  ],
  ['79999990007', /lets every deadline pass/, []],
])('rule 39: what the page says of %s is true of a phone with this number', (number, sentence, reports) => {
  expect(behaviors[number]).toMatch(sentence);
  expect(reportsOf(Number(number), { byHand: true })).toEqual(reports);
});

test('rule 39: 79999990007 shows and opens a message without a deadline', () => {
  expect(behaviors['79999990007']).toMatch(/without one it shows and opens by itself/);
  expect(reportsOf(79_999_990_007, { byHand: true, hasDeadline: false })).toEqual([
    'DELIVERED at 2, after 2',
    'OPENED at 4, after 4',
  ]);
});

test.each([79_999_990_003, 79_999_990_008])('rule 39: no message to %d is opened by itself', (msisdn) => {
  expect(reportsOf(msisdn)).toEqual(['DELIVERED at 2, after 2']);
});

test('rule 42: nothing is reported of a message that would be shown at its deadline or later', () => {
  const until = (deadline: number, msisdn = ordinary) =>
    makeReceipts({ messageId: 'm', msisdn }, { nowMs: 0, delaySeconds: 2, byHand: false, deadline }).length;
  expect([until(1_999), until(2_000), until(2_001)]).toEqual([0, 0, 2]);
  expect([until(120_000, 79_999_990_006), until(120_001, 79_999_990_006)]).toEqual([0, 2]);
});
