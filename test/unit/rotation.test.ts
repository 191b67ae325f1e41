import { describe, expect, test } from 'vitest';
import { retired, rotated } from '../../shared/platform/http/rotation.ts';

const older = { name: 'older', createdAt: 1 };
const newer = { name: 'newer', createdAt: 2, madeBy: 'request-2' };
const added = { name: 'added', createdAt: 3, madeBy: 'request-3' };

describe('rotate', () => {
  test('adds a second secret beside the only one, with replace too', () => {
    expect(rotated([older], added)).toEqual({ secrets: [older, added] });
    expect(rotated([older], added, true)).toEqual({ secrets: [older, added] });
  });

  test('refuses a third secret', () => {
    expect(rotated([older, newer], added)).toBe('two secrets');
  });

  test('rule 63: with replace, puts the added secret in the place of the newer of two', () => {
    expect(rotated([older, newer], added, true)).toEqual({ secrets: [older, added], ended: newer });
  });

  test('dates the added secret after the older one, which a clock that is ahead has made', () => {
    const { createdAt } = older;
    const early = { ...added, createdAt: createdAt - 1 };
    expect(rotated([older], early)).toEqual({ secrets: [older, { ...added, createdAt: createdAt + 1 }] });
  });

  test('replaces what the same request made before it died, and nothing else', () => {
    const repeated = { ...added, name: 'repeated', createdAt: 4 };
    expect(rotated([older, added], repeated)).toEqual({ secrets: [older, repeated] });
    expect(rotated([older, added], repeated, true)).toEqual({ secrets: [older, repeated] });
    expect(rotated([added], repeated)).toEqual({ secrets: [repeated] });
  });
});

test('retire ends the older of two secrets, and never the only one', () => {
  expect(retired([older, newer])).toEqual({ secrets: [newer], ended: older });
  expect(retired([older])).toBe('one secret');
});
