import { expect, test } from 'vitest';
import { ApiError, fieldErrors } from '../../../console/api/api-error.ts';
import { count, localTime } from '../../../console/parts/figures.tsx';
import { effectOf } from '../../../console/parts/list-line.tsx';

test('a sentence of the API stands at the field that it names, the first of each', () => {
  const error = new ApiError(400, 'REQUEST_INVALID', [
    'placeIds[3]: must have 1 to 128 characters',
    'basic.login: required',
    'url: must not carry credentials',
    'url: must be shorter',
    'qos.deliverFrom: must be before deliverDue',
    'endDate: must be after startDate, which is 2026-06-01T00:00:00+03',
    'maxPerSecond: must be at least 1, or null for no limit',
    'The service failed. Try again in a moment.',
  ]);
  expect(fieldErrors(error)).toEqual({
    placeIds: 'Must have 1 to 128 characters',
    'basic.login': 'Required',
    url: 'Must not carry credentials',
    'qos.deliverFrom': 'Must be before the deadline',
    endDate: 'Must be after the start, which is 2026-06-01T00:00:00+03',
    maxPerSecond: 'Must be at least 1, or empty for no limit',
  });
  expect(fieldErrors(null)).toEqual({});
});

test('a time names its zone', () => {
  const at = new Date('2026-11-22T07:15:00Z');
  const moscow = { dateStyle: 'medium', timeZone: 'Europe/Moscow' } as const;
  expect(localTime(at, moscow)).toBe('22 Nov 2026, 10:15:00 UTC+3');
  expect(localTime(at, { timeZone: 'UTC' })).toBe('07:15:00 UTC');
});

test('things are counted with their noun, in the singular for one', () => {
  expect([1, 2, 12_345].map((many) => count(many, 'service point'))).toEqual([
    '1 service point',
    '2 service points',
    '12,345 service points',
  ]);
});

test('a list says what it has changed, nothing, or that it failed', () => {
  const none = { received: 0, added: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 };
  const finished = { status: 'FINISHED' as const };
  expect(effectOf({ ...finished, counts: { ...none, received: 4, added: 3, rejected: 1 } })).toBe(
    'added 3 and rejected 1',
  );
  expect(effectOf({ ...finished, counts: none })).toBe('changed nothing');
  expect(effectOf({ ...finished, counts: none, dryRun: true })).toBe('would change nothing');
  expect(effectOf({ ...finished, counts: { ...none, received: 4 } })).toBe('could not be processed');
});
