import { expect, test } from 'vitest';
import { examine } from '../../../shared/callbacks/examination/examine.ts';
import type { AttemptResult } from '../../../shared/platform/egress/attempt-result.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import { fakeClock } from '../../support/clock.ts';
import { virtualSleep } from '../../support/virtual-sleep.ts';

const endpoint = {
  partnerId: 'bars',
  url: 'https://bars.example/callbacks',
  signingSecrets: [{ secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`, createdAt: 1 }],
  timeoutMs: 15_000,
  status: 'enabled' as const,
};

/** Examines a receiver that responds after `takesMs`, on a virtual clock. */
async function examined({ takesMs = 0, maxPerSecond }: { takesMs?: number; maxPerSecond?: number }) {
  const clock = fakeClock(0);
  const sleepUntil = virtualSleep(clock);
  const sentAt: number[] = [];
  const client = {
    post: async ({ timeoutMs }: { timeoutMs: number }): Promise<AttemptResult> => {
      sentAt.push(clock.now());
      const durationMs = Math.min(takesMs, timeoutMs);
      await sleepUntil(clock.now() + durationMs);
      return takesMs > timeoutMs
        ? { ok: false, error: 'timeout', durationMs }
        : { ok: true, httpStatus: 200, durationMs };
    },
  };
  const deps = { client, clock, sleepUntil, ids: systemIds };
  const checks = await examine(deps, { ...endpoint, ...(maxPerSecond ? { maxPerSecond } : {}) });
  return { checks, sentAt };
}

test('rule 56: a receiver that takes more than five seconds gets advice, and what has no time left is skipped', async () => {
  const { checks } = await examined({ takesMs: 5_001 });
  const verdictOf = (wanted: string) => checks.find(({ check }) => check === wanted)?.verdict;
  expect(['VALID', 'UNICODE', 'SIGNATURE_WRONG', 'TIMESTAMP_AHEAD'].map(verdictOf)).toEqual([
    'ADVICE',
    'ADVICE',
    'FAILED',
    'SKIPPED',
  ]);
  expect(checks[0]?.meaning).toBe(
    'A callback as we send them: as expected, but after more than 5 s; respond first, and process afterwards.',
  );
  expect(checks.at(-1)?.meaning).toBe(
    'A callback signed for ten minutes from now: not sent, or without a response, because the 25 s of an examination were over.',
  );
});

test('rule 56: exactly five seconds are quick enough', async () => {
  const { checks } = await examined({ takesMs: 5_000 });
  expect(checks[0]).toMatchObject({ check: 'VALID', verdict: 'PASSED' });
});

test('rule 56: a receiver without a response fails by its own time limit', async () => {
  const { checks } = await examined({ takesMs: 60_000 });
  expect(checks[0]).toMatchObject({ check: 'VALID', verdict: 'FAILED', durationMs: 15_000 });
});

test('rule 56: requests keep the distance of the pace, but for the two that are sent together', async () => {
  const { sentAt } = await examined({ maxPerSecond: 2 });
  expect(sentAt).toEqual([
    0, 500, 1_000, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500, 5_000, 5_500, 6_000, 6_500,
  ]);
});
