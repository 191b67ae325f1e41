import { describe, expect, test } from 'vitest';
import { rotated } from '../../shared/platform/http/rotation.ts';

const older = { name: 'older', createdAt: 1 };
const added = { name: 'added', createdAt: 3, madeBy: 'request-3' };

describe('rotate', () => {
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
