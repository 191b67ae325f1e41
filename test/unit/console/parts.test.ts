import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ApiError, fieldErrors } from '../../../console/api/api-error.ts';
import { count, shortCount } from '../../../console/parts/count.ts';
import { effectOf } from '../../../console/parts/list-badge.tsx';
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

test('numbers have separators, and are written in one place', () => {
  expect([0, 999, 1_000, 1_234_567].map(count)).toEqual(['0', '999', '1,000', '1,234,567']);
  expect([7, 1_000, 12_345, 1_000_000].map(shortCount)).toEqual(['7', '1k', '12.3k', '1m']);
  const files = globSync('console/**/*.{ts,tsx}', { exclude: ['**/node_modules/**'] });
  expect(files.length).toBeGreaterThan(80);
  const own = files.filter((file) =>
    /NumberFormat|\.toLocaleString\('[\w-]+'\)/.test(readFileSync(file, 'utf8')),
  );
  expect(own).toEqual(['console/parts/count.ts']);
});

const noPoints = { received: 534, added: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 };

test('a list says what it did, a dry run what it would do', () => {
  const counts = { ...noPoints, added: 1_008, updated: 20, unchanged: 501, rejected: 2, removalsHeld: 531 };
  expect(effectOf({ status: 'FINISHED', dryRun: true, counts })).toBe(
    'would add 1,008, update 20, leave 501 unchanged, reject 2 and keep 531 that it does not name',
  );
  expect(effectOf({ status: 'FINISHED', counts: { ...noPoints, added: 3, removed: 10 } })).toBe(
    'added 3 and removed 10',
  );
  expect(effectOf({ status: 'FINISHED', counts: noPoints })).toBe('could not be processed');
  expect(effectOf({ status: 'PROCESSING', counts: noPoints })).toBe('is being processed');
  expect(effectOf({ status: 'PROCESSING', dryRun: true, counts: noPoints })).toBe('is being checked');
});
