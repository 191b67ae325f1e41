import { describe, expect, test } from 'vitest';
import { weekOf } from '../../../console/pages/overview/week.ts';
import { freshMs, hoursOf, isFinal, percent, stagesOf } from '../../../console/parts/funnel.ts';

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

describe('the hours of a send', () => {
  const at = (hour: string) => `2026-05-${hour}:00:00.000Z`;
  const hoursShown = (times: { acceptedAt: string; deliverFrom?: string }, ...hours: string[]) =>
    hoursOf({ ...times, byHour: hours.map((hour) => ({ hour: at(hour), delivered: 2, opened: 1 })) });

  test('are whole days from the hour in which it was handed over, with those in which nothing happened', () => {
    const hours = hoursShown({ acceptedAt: '2026-05-20T12:59:00.000Z' }, '20T12', '20T15');
    expect(hours).toHaveLength(24);
    expect(hours.slice(0, 4)).toEqual([
      { at: new Date(at('20T12')), delivered: 2, opened: 1 },
      { at: new Date(at('20T13')), delivered: 0, opened: 0 },
      { at: new Date(at('20T14')), delivered: 0, opened: 0 },
      { at: new Date(at('20T15')), delivered: 2, opened: 1 },
    ]);
  });

  test.each([
    ['21T11', 24],
    ['21T12', 48],
    ['23T11', 72],
  ])('reach from 20T12 to %s: %d of them', (last, many) => {
    expect(hoursShown({ acceptedAt: at('20T12') }, last)).toHaveLength(many);
  });

  test('of a planned send begin at its time, and there are none before anything happened', () => {
    const planned = { acceptedAt: at('20T12'), deliverFrom: at('22T09') };
    expect(hoursShown(planned, '22T10')[0]?.at).toEqual(new Date(at('22T09')));
    expect(hoursShown(planned)).toEqual([]);
  });
});

describe('the sends of a week', () => {
  const now = new Date(2026, 4, 20, 10, 30);
  const sendOf = (day: number, hour: number, recipients: number, times = {}) => ({
    ...{ messageId: report.messageId, recipients, ...times },
    acceptedAt: new Date(2026, 4, day, hour).toISOString(),
  });

  test('are counted by the days of this computer, without older ones and those taken back before their time', () => {
    const takenBack = { deliverFrom: '2026-05-21T00:00:00.000Z', cancelledAt: '2026-05-20T23:00:00.000Z' };
    const disappeared = { cancelledAt: '2026-05-20T23:00:00.000Z' };
    const sends = [
      sendOf(20, 0, 100),
      sendOf(19, 23, 20, takenBack),
      sendOf(19, 23, 3, disappeared),
      sendOf(19, 1, 5),
      sendOf(14, 0, 7),
      sendOf(13, 23, 1_000),
    ];
    const { days, since } = weekOf({ sends, cursor: 'more' }, now);
    expect(days.map(({ day, ...counts }) => [day.getDate(), counts])).toEqual([
      [14, { sends: 1, recipients: 7 }],
      ...[15, 16, 17, 18].map((day) => [day, { sends: 0, recipients: 0 }]),
      [19, { sends: 2, recipients: 8 }],
      [20, { sends: 1, recipients: 100 }],
    ]);
    expect(since).toBeUndefined();
  });

  test('leave out the days before the oldest send of a page that older ones of the week may follow', () => {
    const sends = [sendOf(20, 9, 2), sendOf(18, 22, 3)];
    const cut = weekOf({ sends, cursor: 'more' }, now);
    expect(cut.days.map(({ day, recipients }) => [day.getDate(), recipients])).toEqual([
      [18, 3],
      [19, 0],
      [20, 2],
    ]);
    expect(cut.since).toBe(sends[1]?.acceptedAt);
    expect(weekOf({ sends }, now).days).toHaveLength(7);
  });
});
