import { expect, test } from 'vitest';
import { madeBeforeRepeat, retired, rotated } from '../../shared/platform/http/rotation.ts';

const older = { name: 'older', createdAt: 1 };
const added = { name: 'added', createdAt: 3, madeBy: 'request-3' };

test('a rotation dates the added secret after the older one, which a clock that is ahead has made', () => {
  const { createdAt } = older;
  const early = { ...added, createdAt: createdAt - 1 };
  expect(rotated([older], early)).toEqual({ secrets: [older, { ...added, createdAt: createdAt + 1 }] });
});

test('a rotation replaces what the same request made before it died, and nothing else', () => {
  const repeated = { ...added, name: 'repeated', createdAt: 4 };
  expect(rotated([older, added], repeated)).toEqual({ secrets: [older, repeated] });
  expect(rotated([older, added], repeated, true)).toEqual({ secrets: [older, repeated] });
  expect(rotated([added], repeated)).toEqual({ secrets: [repeated] });
});

test('a retirement by a repetition ends no secret that was the newer one when the request began, whatever the clocks', () => {
  const madeUntil = (beganAt: number, repeatOf?: string) =>
    madeBeforeRepeat({ repeatOf, operationBeganAt: beganAt });
  const newer = { name: 'newer', createdAt: 100_000 };
  const ended = { secrets: [newer], ended: older };
  expect(retired([older, newer], madeUntil(1))).toEqual(ended);
  // The request came after the newer secret, to an instance whose clock is 5 s behind.
  expect(retired([older, newer], madeUntil(95_000, 'request'))).toEqual(ended);
  expect(retired([older, newer], madeUntil(94_999, 'request'))).toBe('changed meanwhile');
  expect(retired([newer], madeUntil(1, 'request'))).toBe('one secret');
});
