import { expect, test } from 'vitest';
import { ApiError, fieldErrors } from '../../../console/api/api-error.ts';
import { endedSentence } from '../../../console/pages/keys/sentences.ts';
import { ageOf } from '../../../console/parts/time.tsx';

test('a sentence of the API stands at the field that it names, the first of each', () => {
  const error = new ApiError(400, 'REQUEST_INVALID', [
    'placeIds[3]: must have 1 to 128 characters',
    'basic.login: required',
    'url: must be https',
    'url: must be shorter',
    'The service could not answer: repeat in a moment.',
  ]);
  expect(fieldErrors(error)).toEqual({
    placeIds: 'must have 1 to 128 characters',
    'basic.login': 'required',
    url: 'must be https',
  });
  expect(fieldErrors(null)).toEqual({});
});

test.each([
  ['2026-11-22T00:59:30Z', 'just now'],
  ['2026-11-22T00:58:59Z', '1 minute ago'],
  ['2026-11-21T22:00:00Z', '3 hours ago'],
  ['2026-11-01T01:00:00Z', '21 days ago'],
])('an age is in its largest whole unit: of %s, %s', (at, age) => {
  expect(ageOf(at, Date.parse('2026-11-22T01:00:00Z'))).toBe(age);
});

test('the end of a key says for how long the gateway may still let it in', () => {
  expect(endedSentence('bar-1 is revoked.', 300)).toBe(
    'bar-1 is revoked. The gateway may still let it in for up to 5 minutes.',
  );
  expect(endedSentence('', 60)).toContain('up to 1 minute.');
  expect(endedSentence('', 90)).toContain('up to 90 seconds.');
});
