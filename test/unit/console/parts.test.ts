import { expect, test } from 'vitest';
import { ApiError, fieldErrors } from '../../../console/api/api-error.ts';
import { count, shortCount } from '../../../console/parts/count.ts';
import { localTime } from '../../../console/parts/time.tsx';

test('a sentence of the API stands at the field that it names, the first of each', () => {
  const error = new ApiError(400, 'REQUEST_INVALID', [
    'placeIds[3]: must have 1 to 128 characters',
    'basic.login: required',
    'url: must be https',
    'url: must be shorter',
    'The service failed. Try again in a moment.',
  ]);
  expect(fieldErrors(error)).toEqual({
    placeIds: 'Must have 1 to 128 characters',
    'basic.login': 'Required',
    url: 'Must be https',
  });
  expect(fieldErrors(null)).toEqual({});
});

test('a time names its zone', () => {
  const at = new Date('2026-11-22T07:15:00Z');
  const moscow = { dateStyle: 'medium', timeZone: 'Europe/Moscow' } as const;
  expect(localTime(at, moscow)).toBe('22 Nov 2026, 10:15:00 UTC+3');
  expect(localTime(at, { timeZone: 'UTC' })).toBe('07:15:00 UTC');
});

test('numbers have separators', () => {
  expect([0, 999, 1_000, 1_234_567].map(count)).toEqual(['0', '999', '1,000', '1,234,567']);
  expect([7, 1_000, 12_345, 1_000_000].map(shortCount)).toEqual(['7', '1k', '12.3k', '1m']);
});
