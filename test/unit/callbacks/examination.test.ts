import { expect, test, vi } from 'vitest';
import type { SigningSecret } from '../../../shared/callbacks/endpoint/endpoint.ts';
import { examine } from '../../../shared/callbacks/examination/examine.ts';
import { judge } from '../../../shared/callbacks/examination/judge.ts';
import { ping } from '../../../shared/callbacks/ping.ts';
import type { AttemptResult } from '../../../shared/platform/egress/attempt-result.ts';
import { addressPolicy } from '../../../shared/platform/egress/public-address.ts';
import type { SignedRequest } from '../../../shared/platform/egress/signed-request.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import { fakeClock } from '../../support/clock.ts';
import { virtualSleep } from '../../support/virtual-sleep.ts';

function secretOf(byte: number): SigningSecret {
  return { secret: `whsec_${Buffer.alloc(32, byte).toString('base64')}`, createdAt: byte };
}

const endpoint = {
  partnerId: 'bars',
  url: 'https://bars.example/callbacks',
  signingSecrets: [secretOf(1)],
  timeoutMs: 15_000,
  status: 'enabled' as const,
};

/** The program of the partner guide has no types. */
const snippet: string = '../../../docs/snippets/verify-callback.mjs';
const { isGenuine } = (await import(snippet)) as {
  isGenuine: (request: { headers: object; body: string; secret: string; now: number }) => boolean;
};

type Receiver = {
  takesMs?: number;
  answers?: number;
  maxPerSecond?: number;
  timeoutMs?: number;
  hasSockets?: boolean;
  signingSecrets?: SigningSecret[];
};

/** Examines a correct receiver that responds after `takesMs`, on a virtual clock. */
async function examined({ takesMs = 0, answers, hasSockets = true, ...settings }: Receiver) {
  const clock = fakeClock(0);
  const sleepUntil = virtualSleep(clock);
  const sentAt: number[] = [];
  const secondsOff: number[] = [];
  const client = {
    post: async ({ timeoutMs, headers, body }: SignedRequest): Promise<AttemptResult> => {
      const now = clock.now();
      sentAt.push(now);
      secondsOff.push(Number(headers['webhook-timestamp']) - Math.floor(now / 1_000));
      if (!hasSockets) return { ok: false, error: 'local', durationMs: 0 };
      const durationMs = Math.min(takesMs, timeoutMs);
      if (answers !== undefined) return { ok: false, error: 'status', httpStatus: answers, durationMs };
      await sleepUntil(now + durationMs);
      if (takesMs > timeoutMs) return { ok: false, error: 'timeout', durationMs };
      const [{ secret } = { secret: '' }] = endpoint.signingSecrets;
      return isGenuine({ headers, body, secret, now: Math.floor(now / 1_000) })
        ? { ok: true, httpStatus: 200, durationMs }
        : { ok: false, error: 'status', httpStatus: 401, durationMs };
    },
  };
  const deps = { client, clock, sleepUntil, ids: systemIds };
  return { checks: await examine(deps, { ...endpoint, ...settings }), sentAt, secondsOff };
}

test('rule 56: a receiver that takes more than five seconds gets advice, and what has no time left is skipped', async () => {
  const { checks } = await examined({ takesMs: 5_001 });
  expect(checks.map(({ verdict }) => verdict)).toEqual([...Array(12).fill('ADVICE'), 'SKIPPED']);
  expect(checks.at(-1)?.check).toBe('TIMESTAMP_AHEAD');
  expect(checks[0]?.meaning).toBe(
    'A callback as we send them: as expected, but after more than 5 s; respond first, and process afterwards.',
  );
  expect(checks.at(-1)?.meaning).toBe(
    'A callback signed for ten minutes from now: not sent, or without a response, because the 25 s of an examination were over.',
  );
});

test('rule 56: a receiver that gets less than its time, and less than 20 s, is not blamed', async () => {
  const { checks } = await examined({ takesMs: 13_000, timeoutMs: 30_000 });
  expect(checks.map(({ verdict }) => verdict)).toEqual(['ADVICE', ...Array(12).fill('SKIPPED')]);
});

test.each([
  [300, 'the response was 300; redirects are not followed, set the address they lead to'],
  [399, 'the response was 399; redirects are not followed, set the address they lead to'],
  [429, 'the response was 429; set maxPerSecond to what your receiver takes, and examine again'],
])('rule 56: a receiver that answers %d is told what to set', async (answers, said) => {
  const { checks } = await examined({ answers });
  expect(checks[0]).toMatchObject({ verdict: 'FAILED', meaning: `A callback as we send them: ${said}.` });
});

test.each([
  ['passes in exactly five seconds', { takesMs: 5_000 }, { verdict: 'PASSED' }],
  ['fails by its own time limit', { takesMs: 60_000 }, { verdict: 'FAILED', durationMs: 15_000 }],
  [
    'fails after 25 s, though the endpoint waits 30 s',
    { takesMs: 60_000, timeoutMs: 30_000 },
    {
      ...{ verdict: 'FAILED', durationMs: 25_000 },
      meaning: 'A callback as we send them: timeout: no response came in time.',
    },
  ],
])('rule 56: a receiver %s', async (_what, receiver, valid) => {
  const { checks, sentAt } = await examined(receiver);
  expect(checks[0]).toMatchObject({ check: 'VALID', ...valid });
  if (valid.verdict === 'FAILED') expect(sentAt).toEqual([0]);
});

test('rule 56: where we can make no request, no check blames the receiver', async () => {
  const { checks, sentAt } = await examined({ hasSockets: false });
  expect(sentAt).toEqual([0]);
  expect(new Set(checks.map(({ verdict }) => verdict))).toEqual(new Set(['SKIPPED']));
  expect(checks[1]?.meaning).toBe(
    'The callback of VALID again, with the same webhook-id: we could not make the request: examine again.',
  );
});

test('rule 56: requests keep the distance of the pace, but for the two that are sent together', async () => {
  const { sentAt } = await examined({ maxPerSecond: 2 });
  expect(sentAt).toEqual([
    0, 500, 1_000, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500, 5_000, 5_500, 6_000, 6_500,
  ]);
});

test('rule 56: two callbacks are signed for ten minutes ago and from now, the others for now', async () => {
  expect((await examined({})).secondsOff).toEqual([...Array(13).fill(0), -600, 600]);
});

test('rule 56: while the secret is rotated, a wrong signature is by neither of the two', async () => {
  const { checks } = await examined({ signingSecrets: [secretOf(2), ...endpoint.signingSecrets] });
  expect(new Set(checks.map(({ verdict }) => verdict))).toEqual(new Set(['PASSED']));
});

test('rule 56: of requests that belong together the slowest is judged', () => {
  const taken = (durationMs: number): AttemptResult => ({ ok: true, httpStatus: 200, durationMs });
  const slow = { verdict: 'ADVICE', durationMs: 5_001 };
  expect(judge({ check: 'TOGETHER' }, [taken(5_001), taken(10)])).toMatchObject(slow);
  expect(judge({ check: 'TOGETHER' }, [taken(10), taken(5_001)])).toMatchObject(slow);
});

test.each([
  [30_000, 25_000],
  [3_000, 3_000],
])('rule 33: a test call of an endpoint that has %d ms ends after %d ms', async (timeoutMs, endsAfter) => {
  const post = vi.fn(async (): Promise<AttemptResult> => ({ ok: true, httpStatus: 200, durationMs: 1 }));
  const request = { url: endpoint.url, headers: {}, body: '{}', timeoutMs };
  await ping({ client: { post }, addresses: addressPolicy('public') }, request, () => {});
  expect(post).toHaveBeenCalledWith({ ...request, timeoutMs: endsAfter });
});
