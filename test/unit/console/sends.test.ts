import { describe, expect, test } from 'vitest';
import { freshMs, isFinal, percent, stagesOf } from '../../../console/parts/funnel.ts';

const report = {
  messageId: '0d6f3c1a-95b2-8e47-a3d1-7b9e5c2f0000',
  acceptedAt: '2026-05-20T12:00:00.000Z',
  recipients: 10_000,
  notRegistered: 1_785,
  scheduled: 0,
  enqueued: 214,
  delivered: 5_000,
  opened: 2_990,
  expired: 10,
  cancelled: 0,
  erased: 1,
  byHour: [],
};

describe('the funnel of a send', () => {
  test('has the numbers that got as far, and their shares in words', () => {
    expect(stagesOf(report).map(({ name, text }) => [name, text])).toEqual([
      ['Recipients', '10,000'],
      ['Registered', '8,214 · 82 %'],
      ['Delivered', '7,990 · 80 %'],
      ['Opened', '2,990 · 30 %'],
      ['Expired', '10 · under 1 %'],
    ]);
    expect(stagesOf(report).map(({ share }) => share)).toEqual([100, 82.14, 79.9, 29.9, 0.1]);
  });

  test.each([
    [0, '0 %'],
    [1, 'under 1 %'],
    [9_999, 'over 99 %'],
    [10_000, '100 %'],
  ])('%d of 10,000 is %s', (part, words) => {
    expect(percent(part, 10_000)).toBe(words);
  });

  test('is final when every message was opened, cannot be shown, or was erased', () => {
    const ended = { ...report, enqueued: 0, delivered: 0, expired: 0 };
    expect(isFinal(ended)).toBe(true);
    for (const count of ['scheduled', 'enqueued', 'delivered', 'expired'])
      expect(isFinal({ ...ended, [count]: 1 })).toBe(false);
  });

  test.each([
    ['a minute', 60_000, 15_000],
    ['an hour', 3_600_000, 360_000],
    ['a day', 86_400_000, 8_640_000],
  ])('of %s ago is read again after a tenth of that, 15 s at the earliest', (_age, ageMs, freshForMs) => {
    expect(freshMs(report, Date.parse(report.acceptedAt) + ageMs)).toBe(freshForMs);
  });

  test('waits for the time that it is planned for, and is read soon after it was taken back', () => {
    const planned = { ...report, deliverFrom: '2026-05-21T12:00:00.000Z' };
    const hourBefore = Date.parse('2026-05-21T11:00:00Z');
    expect(freshMs(planned, hourBefore)).toBe(3_600_000);
    expect(freshMs({ ...planned, cancelledAt: '2026-05-21T10:59:00Z' }, hourBefore)).toBe(15_000);
  });
});
