import { expect, test } from 'vitest';
import { nextAttemptAt, pauseMs, retryAfterMs } from '../../../shared/callbacks/schedule.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import { randomFrom } from '../../../shared/platform/runtime/random.ts';

function at(tries: number, retryAfter = 0, random = 0.5) {
  return nextAttemptAt({ tries, atMs: 0, retryAfterMs: retryAfter }, () => random);
}

test('rule 23: ten attempts: after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map((tries) => at(tries))).toEqual([
    5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
  ]);
  expect(at(10)).toBeUndefined();
});

test('rule 23: each wait is 20 % shorter to 20 % longer', () => {
  expect([at(1, 0, 0), at(1, 0, 0.999_999_999)]).toEqual([4_000, 6_000]);
  expect([at(9, 0, 0), at(9, 0, 0.999_999_999)]).toEqual([69_120_000, 103_680_000]);
});

test('random is spread over [0, 1)', () => {
  const random = randomFrom(systemIds);
  const drawn = Array.from({ length: 1_000 }, random);
  expect(drawn.every((n) => n >= 0 && n < 1)).toBe(true);
  expect(Math.min(...drawn)).toBeLessThan(0.05);
  expect(Math.max(...drawn)).toBeGreaterThan(0.95);
});

test('Retry-After counts when it is later than the schedule, and not when it is earlier', () => {
  expect(at(1, 60_000)).toBe(60_000);
  expect(at(2, 60_000)).toBe(300_000);
  expect(at(10, 60_000)).toBeUndefined();
});

const now = Date.UTC(2026, 4, 20, 12);

test.each([
  ['120', 120_000],
  ['86401', 86_400_000],
  ['Wed, 20 May 2026 12:02:00 GMT', 120_000],
  ['Wednesday, 20-May-26 12:02:00 GMT', 120_000],
  ['Fri, 22 May 2026 12:00:00 GMT', 86_400_000],
  ['Wed, 20 May 2026 11:00:00 GMT', 0],
  ['-5', 0],
  ['soon', 0],
  [undefined, 0],
])('Retry-After: %s asks for %d ms', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});

test.each([
  [429, '120', 120_000],
  [502, 'Wed, 20 May 2026 12:02:00 GMT', 120_000],
  [504, '900', 900_000],
  [503, '901', 900_000],
  [503, 'Wed, 20 May 2026 11:59:59 GMT', 0],
  [503, undefined, 0],
  [500, '120', 0],
  [undefined, '120', 0],
])(
  '%s with Retry-After: %s asks to leave the endpoint alone for %d ms',
  (httpStatus, retryAfter, expected) => {
    const answer = { ...(httpStatus && { httpStatus }), ...(retryAfter && { retryAfter }) };
    expect(pauseMs(answer, now)).toBe(expected);
  },
);
