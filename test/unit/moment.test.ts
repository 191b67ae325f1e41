import { expect, test } from 'vitest';
import { readMoment } from '../../shared/platform/validation/moment.ts';

test.each([
  ['2026-06-01T00:00:00Z', 0],
  ['2026-06-01T00:00:00.0019Z', 1],
  ['2026-06-01T03:00:00+03', 0],
  ['2026-06-01T14:00:00+14', 0],
  ['2026-05-31T10:00:00-1400', 0],
  ['2026-06-01T00:59:00+00:59', 0],
])('%s is read, whatever its offset', (text, ms) => {
  expect(readMoment(text)).toMatchObject({ ms: Date.UTC(2026, 5, 1) + ms });
});

test.each([
  ['2026-06-01T00:00:00+14:01', 'must have an offset from -14 to +14'],
  ['2026-06-01T00:00:00+00:60', 'must have an offset from -14 to +14'],
  ['2026-02-29T00:00:00Z', 'is not in the calendar or on the clock'],
  ['2026-06-01T24:00:00Z', 'is not in the calendar or on the clock'],
  ['2026-06-01T00:00:00', 'must be a date and time with an offset, like 2026-06-01T00:00:00+03'],
])('%s %s', (text, sentence) => {
  expect(readMoment(text)).toBe(sentence);
});
