import { expect, test, vi } from 'vitest';
import type { PostedEndpoint, SigningSecret } from '../../../shared/callbacks/endpoint/endpoint.ts';
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

type Genuine = { headers: SignedRequest['headers']; body: string; secret: string; now: number };
/** The program of the partner guide has no types. */
const snippet: string = '../../../docs/snippets/verify-callback.mjs';
const { isGenuine } = (await import(snippet)) as { isGenuine: (request: Genuine) => boolean };

/** A partner's server: the status of its response to a callback. */
type Receiver = (request: Genuine) => number;
type Examined = Partial<PostedEndpoint> & { takesMs?: number; hasSockets?: boolean };

/** The receiver on the program of the guide. */
function correct(request: Genuine): number {
  return isGenuine(request) ? 200 : 401;
}

/** Examines a receiver that responds after `takesMs`, on a virtual clock. */
async function examined(receiver: Receiver, { takesMs = 0, hasSockets = true, ...settings }: Examined = {}) {
  const clock = fakeClock();
  const beganAt = clock.now();
  const sleepUntil = virtualSleep(clock);
  const sentAt: number[] = [];
  const secondsOff: number[] = [];
  const client = {
    post: async ({ timeoutMs, headers, body }: SignedRequest): Promise<AttemptResult> => {
      const sent = clock.now();
      const now = Math.floor(sent / 1_000);
      sentAt.push(sent - beganAt);
      secondsOff.push(Number(headers['webhook-timestamp']) - now);
      if (!hasSockets) return { ok: false, error: 'local', durationMs: 0 };
      const durationMs = Math.min(takesMs, timeoutMs);
      await sleepUntil(sent + durationMs);
      if (takesMs > timeoutMs) return { ok: false, error: 'timeout', durationMs };
      const [{ secret } = { secret: '' }] = endpoint.signingSecrets;
      const httpStatus = receiver({ headers, body, secret, now });
      return httpStatus < 300
        ? { ok: true, httpStatus, durationMs }
        : { ok: false, error: 'status', httpStatus, durationMs };
    },
  };
  const deps = { client, clock, sleepUntil, ids: systemIds };
  const checks = await examine(deps, { ...endpoint, ...settings });
  const others = checks.filter(({ verdict }) => verdict !== 'PASSED');
  const shortcomings = Object.fromEntries(others.map(({ check, verdict }) => [check, verdict]));
  return { checks, shortcomings, sentAt, secondsOff };
}

test('an examination names numbers that nobody has: no country has the code 999', async () => {
  const numbers = new Set<number>();
  await examined(({ body }) => {
    numbers.add(JSON.parse(body).msisdn);
    return 200;
  });
  expect(numbers).toEqual(new Set([99_999_999_999, 99_999_999_998]));
});

const positive = 'REPEATED TOGETHER OPENED_FIRST TWO_SIGNATURES UNICODE';
const negative = 'SIGNATURE_MISSING SIGNATURE_WRONG BODY_CHANGED ID_CHANGED TIMESTAMP_OLD TIMESTAMP_AHEAD';

/** Gives checks, separated by blanks, the same verdict. */
function all(checks: string, verdict: string) {
  return Object.fromEntries(checks.split(' ').map((check) => [check, verdict]));
}

test.each<[string, () => Receiver, object]>([
  ['checks nothing', () => () => 200, all(negative, 'FAILED')],
  [
    'does not look at the timestamp',
    () => (request) => correct({ ...request, now: Number(request.headers['webhook-timestamp']) }),
    all('TIMESTAMP_OLD TIMESTAMP_AHEAD', 'FAILED'),
  ],
  [
    'verifies a body that it parsed and wrote again',
    () => (request) => correct({ ...request, body: JSON.stringify(JSON.parse(request.body)) }),
    { UNICODE: 'FAILED' },
  ],
  [
    'compares with one signature only',
    () => (request) => {
      const [only = ''] = (request.headers['webhook-signature'] ?? '').split(' ');
      return correct({ ...request, headers: { ...request.headers, 'webhook-signature': only } });
    },
    { TWO_SIGNATURES: 'FAILED' },
  ],
  [
    'fails on what it has seen',
    () => {
      const seen = new Set<string>();
      return (request) => {
        const id = request.headers['webhook-id'] ?? '';
        return isGenuine(request) && seen.size === seen.add(id).size ? 409 : correct(request);
      };
    },
    { REPEATED: 'FAILED', TOGETHER: 'FAILED' },
  ],
  [
    'answers 500 to bad signatures',
    () => (request) => (isGenuine(request) ? 200 : 500),
    all(negative, 'ADVICE'),
  ],
  [
    'wants DELIVERED before OPENED',
    () => {
      const delivered = new Set<string>();
      return (request) => {
        const { messageId, state } = JSON.parse(request.body) as { messageId: string; state: string };
        if (state === 'DELIVERED') delivered.add(messageId);
        return delivered.has(messageId) ? correct(request) : 422;
      };
    },
    { OPENED_FIRST: 'FAILED' },
  ],
  [
    'refuses what follows at once by 429, genuine or not',
    () => {
      let seen = 0;
      return (request) => (++seen === 1 ? correct(request) : 429);
    },
    { ...all(`${positive} ${negative}`, 'FAILED'), UNKNOWN_MEMBER: 'ADVICE' },
  ],
  [
    'knows no other members than those of the contract',
    () => (request) => (request.body.includes('addedLater') ? 400 : correct(request)),
    { UNKNOWN_MEMBER: 'ADVICE' },
  ],
])('rule 56: a receiver that %s fails exactly there', async (_, receiver, expected) => {
  expect((await examined(receiver())).shortcomings).toEqual(expected);
});

test('rule 56: a receiver on the program of the guide passes every check, with HTTP Basic and during a rotation too', async () => {
  const asking: Receiver = (request) => (request.headers['authorization'] ? correct(request) : 401);
  const basic = { login: 'wallet', secret: 'pass:word' };
  const rotated = { basic, signingSecrets: [secretOf(1), secretOf(2)] };
  expect((await examined(asking, rotated)).checks.map(({ verdict }) => verdict)).toEqual(
    Array.from({ length: 14 }, () => 'PASSED'),
  );
});

test('rule 56: credentials that the receiver does not ask for fail, if they are set', async () => {
  const basic = { login: 'wallet', secret: 'pass:word' };
  expect((await examined(correct, { basic })).shortcomings).toEqual({ BASIC_MISSING: 'FAILED' });
});

test('rule 56: where the valid callback is refused nothing else is sent, and the meaning says what to change', async () => {
  const { checks, sentAt } = await examined(() => 410);
  expect(sentAt).toHaveLength(1);
  expect(checks[0]).toMatchObject({
    check: 'VALID',
    httpStatus: 410,
    verdict: 'FAILED',
    meaning:
      'A callback as we send them: the response was 410; compute the signature over webhook-id, webhook-timestamp and the unchanged bytes of the body, joined by dots, with the decoded base64 part of the secret, keep the clock of your server right, and respond 2xx, also about a message or number that you do not know.',
  });
  expect(checks[1]).toEqual({
    check: 'REPEATED',
    expected: '2xx',
    verdict: 'SKIPPED',
    meaning:
      'The callback of VALID again, with the same webhook-id: not sent, because VALID failed: change that first.',
  });
});

test('rule 56: a receiver that takes more than five seconds gets advice, and what has no time left is skipped', async () => {
  const { checks } = await examined(correct, { takesMs: 5_001 });
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
  const { checks } = await examined(correct, { takesMs: 13_000, timeoutMs: 30_000 });
  expect(checks.map(({ verdict }) => verdict)).toEqual(['ADVICE', ...Array(12).fill('SKIPPED')]);
});

test.each([
  [300, 'the response was 300; redirects are not followed, set the address they lead to'],
  [399, 'the response was 399; redirects are not followed, set the address they lead to'],
  [429, 'the response was 429; set maxPerSecond to what your receiver takes, and examine again'],
])('rule 56: a receiver that answers %d is told what to set', async (status, said) => {
  const { checks } = await examined(() => status);
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
  const { checks, sentAt } = await examined(correct, receiver);
  expect(checks[0]).toMatchObject({ check: 'VALID', ...valid });
  if (valid.verdict === 'FAILED') expect(sentAt).toEqual([0]);
});

test('rule 56: where we can make no request, no check blames the receiver', async () => {
  const { checks, sentAt } = await examined(correct, { hasSockets: false });
  expect(sentAt).toEqual([0]);
  expect(new Set(checks.map(({ verdict }) => verdict))).toEqual(new Set(['SKIPPED']));
  expect(checks[1]?.meaning).toBe(
    'The callback of VALID again, with the same webhook-id: we could not make the request: examine again.',
  );
});

test('rule 56: requests keep the distance of the pace, but for the two that are sent together', async () => {
  const { sentAt } = await examined(correct, { maxPerSecond: 2 });
  expect(sentAt).toEqual([
    0, 500, 1_000, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500, 5_000, 5_500, 6_000, 6_500,
  ]);
});

test('rule 56: two callbacks are signed for ten minutes ago and from now, the others for now', async () => {
  expect((await examined(correct)).secondsOff).toEqual([...Array(13).fill(0), -600, 600]);
});

test('rule 56: while the secret is rotated, a wrong signature is by neither of the two', async () => {
  const signingSecrets = [secretOf(2), ...endpoint.signingSecrets];
  expect((await examined(correct, { signingSecrets })).shortcomings).toEqual({});
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
