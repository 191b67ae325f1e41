import { expect, test } from 'vitest';
import { readMoment } from '../../shared/platform/validation/moment.ts';
import { statusOf } from '../../shared/promotions/promotion.ts';
import { writeDate } from '../../shared/promotions/promotion-date.ts';

test.each([
  ['2026-06-01T10:00:00+03', 1_780_297_200_000, 180],
  ['2026-06-01T10:00:00+0300', 1_780_297_200_000, 180],
  ['2026-06-01T10:00:00+03:00', 1_780_297_200_000, 180],
  ['2026-06-01T07:00:00Z', 1_780_297_200_000, 0],
  ['2026-05-31T21:00:00-10', 1_780_297_200_000, -600],
  ['2026-06-01T12:30:00+05:30', 1_780_297_200_000, 330],
  ['2026-06-01T10:00:00.123999+03:00', 1_780_297_200_123, 180],
  ['2024-02-29T00:00:00Z', 1_709_164_800_000, 0],
  ['2026-06-01T21:00:00+14', 1_780_297_200_000, 840],
])('a date of a promotion is read from %s', (text, ms, offsetMinutes) => {
  expect(readMoment(text)).toEqual({ ms, offsetMinutes });
});

const shape = 'must be a date and time with an offset, like 2026-06-01T00:00:00+03';
const calendar = 'is not in the calendar or on the clock';
const offset = 'must have an offset from -14 to +14';
test.each([
  ['2026-06-01', shape],
  ['2026-06-01T10:00:00', shape],
  ['2026-06-01T10:00+03', shape],
  ['2026-06-01T10:00:00 03', shape],
  ['01.06.2026', shape],
  ['2026-02-30T00:00:00+03', calendar],
  ['2026-13-01T00:00:00+03', calendar],
  ['2026-06-01T24:00:00+03', calendar],
  ['2026-06-01T10:60:00+03', calendar],
  ['2026-06-01T10:00:60+03', calendar],
  ['2026-06-01T10:00:00-14:30', offset],
  ['2026-06-01T10:00:00+14:01', offset],
  ['2026-06-01T10:00:00+03:60', calendar],
])('a date of a promotion is not read from %j', (text, sentence) => {
  expect(readMoment(text)).toBe(sentence);
});

test.each([
  [1_780_297_200_000, 180, '2026-06-01T10:00:00+03'],
  [1_780_297_200_999, 180, '2026-06-01T10:00:00+03'],
  [1_780_297_200_000, -600, '2026-05-31T21:00:00-10'],
  [1_780_297_200_000, 840, '2026-06-01T21:00:00+14'],
  [1_780_297_200_000, -210, '2026-06-01T03:30:00-03:30'],
])(
  'a date of a promotion of %i ms at an offset of %i minutes is answered as %s',
  (ms, offsetMinutes, text) => {
    expect(writeDate({ ms, offsetMinutes })).toBe(text);
  },
);

function at(ms: number) {
  return { ms, offsetMinutes: 180 };
}

test.each([
  ['a millisecond before its start', 999, 'planned'],
  ['at its start', 1_000, 'active'],
  ['a millisecond before its end', 1_999, 'active'],
  ['at its end', 2_000, 'completed'],
])('rule 26: the status of a promotion is right %s', (_when, nowMs, status) => {
  expect(statusOf({ startsAt: at(1_000), endsAt: at(2_000) }, nowMs)).toBe(status);
});
