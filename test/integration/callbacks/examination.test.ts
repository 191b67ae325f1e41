import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { examineEndpoint } from '../../../functions/callbacks/examine-endpoint.ts';
import { getEndpoint } from '../../../functions/callbacks/get-endpoint.ts';
import { examinedStore } from '../../../shared/callbacks/examination/examined-store.ts';
import type { Judged } from '../../../shared/callbacks/examination/judge.ts';
import { callbackExaminations } from '../../../shared/callbacks/limits.ts';
import { eventStore } from '../../../shared/events/event-store.ts';
import { liveKeys } from '../../../shared/partners/live-key.ts';
import { guardedClient } from '../../../shared/platform/egress/guarded-client.ts';
import { addressPolicy } from '../../../shared/platform/egress/public-address.ts';
import { idempotencyStore } from '../../../shared/platform/http/idempotency.ts';
import { requestBudgets } from '../../../shared/platform/limits/request-budget.ts';
import { systemClock } from '../../../shared/platform/runtime/clock.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import { bars, call } from '../../support/http.ts';
import { storeTwoPartners } from '../../support/two-partners.ts';
import { callbacksRig } from './callbacks-rig.ts';
import { type LoopbackPartner, loopbackPartner, reply } from './loopback-partner.ts';

type Request = { headers: Record<string, string>; body: string; secret: string };
/** A partner's server: the status of its response to a callback. */
type Receiver = (request: Request) => number;
type Settings = Parameters<Awaited<ReturnType<typeof callbacksRig>>['saveEndpoint']>[1];

/** The program of the partner guide has no types. */
const snippet: string = '../../../docs/snippets/verify-callback.mjs';
const { isGenuine } = (await import(snippet)) as {
  isGenuine: (request: Request & { now?: number }) => boolean;
};

const signingSecret = { secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`, createdAt: 1 };
const basic = { login: 'wallet', secret: 'pass:word' };
const basicHeader = `Basic ${Buffer.from('wallet:pass:word').toString('base64')}`;

async function examinationRig() {
  const rig = await callbacksRig();
  await storeTwoPartners(rig.table);
  const deps = {
    ...rig,
    clock: systemClock,
    ids: systemIds,
    sleepUntil: async () => {},
    idempotency: idempotencyStore(rig.table),
    budgets: requestBudgets(rig.table),
    keys: liveKeys(rig.table),
    examinations: callbackExaminations(rig.table),
    examined: examinedStore(rig.table),
    events: eventStore(rig.table),
    logByDefault: 'failures' as const,
  };
  const client = (policy: string) => guardedClient(addressPolicy(policy), async () => ['127.0.0.1']);
  return {
    ...rig,
    examine: (policy = 'loopback-too') =>
      call(examineEndpoint({ ...deps, client: client(policy) }), { partner: bars, method: 'POST' }),
    endpoint: async () =>
      (await call(getEndpoint(deps), { partner: bars, method: 'GET' })).body as { examined?: object },
  };
}

let rig: Awaited<ReturnType<typeof examinationRig>>;
let server: LoopbackPartner;
beforeEach(async () => {
  rig = await examinationRig();
  server = await loopbackPartner();
});
afterEach(() => server.close());

async function examined(receiver: Receiver, settings: Settings = {}) {
  const { secret } = signingSecret;
  await rig.saveEndpoint(server.url, { signingSecrets: [signingSecret], ...settings });
  server.responses((response, { headers, body }) =>
    reply(receiver({ headers: headers as Record<string, string>, body, secret }))(response, {
      headers,
      body,
      url: '',
    }),
  );
  const { status, body } = await rig.examine();
  expect(status).toBe(200);
  return body as { examinedAt: string; passed: number; failed: number; checks: Judged[] };
}

/** The checks that did not pass, with their verdicts. */
async function shortcomings(receiver: Receiver, settings: Settings = {}) {
  const { checks } = await examined(receiver, settings);
  const others = checks.filter(({ verdict }) => verdict !== 'PASSED');
  return Object.fromEntries(others.map(({ check, verdict }) => [check, verdict]));
}

/** Verified by the library that Standard Webhooks publishes. */
function isVerified({ headers, body, secret }: Request): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

function correct(request: Request): number {
  return isVerified(request) ? 204 : 401;
}

test('rule 56: a receiver on the library of Standard Webhooks passes every check', async () => {
  const { passed, failed, checks, examinedAt } = await examined(correct);
  expect({ passed, failed }).toEqual({ passed: 13, failed: 0 });
  expect(Math.abs(Date.parse(examinedAt) - Date.now())).toBeLessThan(60_000);
  expect(checks.map(({ check, expected, httpStatus }) => `${check} ${expected} ${httpStatus}`)).toEqual([
    'VALID 2xx 204',
    'REPEATED 2xx 204',
    'TOGETHER 2xx 204',
    'OPENED_FIRST 2xx 204',
    'TWO_SIGNATURES 2xx 204',
    'UNICODE 2xx 204',
    'UNKNOWN_MEMBER 2xx 204',
    'SIGNATURE_MISSING 4xx 401',
    'SIGNATURE_WRONG 4xx 401',
    'BODY_CHANGED 4xx 401',
    'ID_CHANGED 4xx 401',
    'TIMESTAMP_OLD 4xx 401',
    'TIMESTAMP_AHEAD 4xx 401',
  ]);
  expect(checks[0]?.meaning).toBe('A callback as we send them: taken.');
});

test('rule 56: the snippet of the guide passes every check, also with HTTP Basic and during a rotation', async () => {
  const receiver: Receiver = (request) =>
    request.headers['authorization'] === basicHeader && isGenuine(request) ? 200 : 401;
  const newer = { secret: `whsec_${Buffer.alloc(32, 2).toString('base64')}`, createdAt: 2 };
  const { passed, failed } = await examined(receiver, { basic, signingSecrets: [signingSecret, newer] });
  expect({ passed, failed }).toEqual({ passed: 14, failed: 0 });
});

test.each<[string, () => Receiver, object]>([
  [
    'checks nothing',
    () => () => 200,
    {
      SIGNATURE_MISSING: 'FAILED',
      SIGNATURE_WRONG: 'FAILED',
      BODY_CHANGED: 'FAILED',
      ID_CHANGED: 'FAILED',
      TIMESTAMP_OLD: 'FAILED',
      TIMESTAMP_AHEAD: 'FAILED',
    },
  ],
  [
    'does not look at the timestamp',
    () => (request) => {
      const now = Number(request.headers['webhook-timestamp']);
      return isGenuine({ ...request, now }) ? 200 : 401;
    },
    { TIMESTAMP_OLD: 'FAILED', TIMESTAMP_AHEAD: 'FAILED' },
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
        if (!isVerified(request)) return 401;
        const id = request.headers['webhook-id'] ?? '';
        if (seen.has(id)) return 409;
        seen.add(id);
        return 200;
      };
    },
    { REPEATED: 'FAILED', TOGETHER: 'FAILED' },
  ],
  [
    'answers 500 to bad signatures',
    () => (request) => (isVerified(request) ? 200 : 500),
    {
      SIGNATURE_MISSING: 'ADVICE',
      SIGNATURE_WRONG: 'ADVICE',
      BODY_CHANGED: 'ADVICE',
      ID_CHANGED: 'ADVICE',
      TIMESTAMP_OLD: 'ADVICE',
      TIMESTAMP_AHEAD: 'ADVICE',
    },
  ],
  [
    'wants DELIVERED before OPENED',
    () => {
      const delivered = new Set<string>();
      return (request) => {
        if (!isVerified(request)) return 401;
        const { messageId, state } = JSON.parse(request.body) as { messageId: string; state: string };
        if (state === 'DELIVERED') delivered.add(messageId);
        return delivered.has(messageId) ? 200 : 422;
      };
    },
    { OPENED_FIRST: 'FAILED' },
  ],
  [
    'knows no other members than those of the contract',
    () => (request) => (request.body.includes('addedLater') ? 400 : correct(request)),
    { UNKNOWN_MEMBER: 'ADVICE' },
  ],
  [
    'signs without the id',
    () =>
      ({ headers, body, secret }) => {
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
        const timestamp = headers['webhook-timestamp'] ?? '';
        const digest = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('base64');
        return headers['webhook-signature'] === `v1,${digest}` ? 200 : 401;
      },
    {
      VALID: 'FAILED',
      REPEATED: 'SKIPPED',
      TOGETHER: 'SKIPPED',
      OPENED_FIRST: 'SKIPPED',
      TWO_SIGNATURES: 'SKIPPED',
      UNICODE: 'SKIPPED',
      UNKNOWN_MEMBER: 'SKIPPED',
      SIGNATURE_MISSING: 'SKIPPED',
      SIGNATURE_WRONG: 'SKIPPED',
      BODY_CHANGED: 'SKIPPED',
      ID_CHANGED: 'SKIPPED',
      TIMESTAMP_OLD: 'SKIPPED',
      TIMESTAMP_AHEAD: 'SKIPPED',
    },
  ],
])('rule 56: a receiver that %s fails exactly there', async (_, receiver, expected) => {
  expect(await shortcomings(receiver())).toEqual(expected);
});

test('rule 56: credentials that the receiver does not ask for fail, if they are set', async () => {
  expect(await shortcomings(correct, { basic })).toEqual({ BASIC_MISSING: 'FAILED' });
});

test('rule 56: where the valid callback is refused nothing else is sent, and the meaning says what to change', async () => {
  const { checks } = await examined(() => 410);
  expect(server.received).toHaveLength(1);
  expect(checks[0]).toMatchObject({
    check: 'VALID',
    httpStatus: 410,
    verdict: 'FAILED',
    meaning:
      'A callback as we send them: the response was 410; compute the signature over webhook-id, webhook-timestamp and the unchanged bytes of the body, joined by dots, with the base64 part of the secret, and respond 2xx.',
  });
  expect(checks[1]).toEqual({
    check: 'REPEATED',
    expected: '2xx',
    verdict: 'SKIPPED',
    meaning:
      'The callback of VALID again, with the same webhook-id: not sent, because VALID failed: change that first.',
  });
  expect(await rig.endpoints.view('bars')).toMatchObject({
    endpoint: { status: 'enabled' },
    circuit: { failures: 0 },
  });
});

test('rule 56: an examination works while the endpoint is disabled, and touches no circuit', async () => {
  expect((await examined(() => 200, { status: 'disabled', disabledReason: 'x', disabledAt: 1 })).passed).toBe(
    7,
  );
  expect(await rig.endpoints.view('bars')).toMatchObject({
    endpoint: { status: 'disabled' },
    circuit: { failures: 0 },
  });
});

test('rule 56: the endpoint shows what failed, until its address or its secrets change', async () => {
  const { examinedAt } = await examined(({ body, ...request }) => correct({ ...request, body: body.trim() }));
  expect(await rig.endpoint()).toMatchObject({ examined: { at: examinedAt, failed: [] } });
  await examined((request) => (request.headers['webhook-signature']?.includes(' ') ? 400 : correct(request)));
  expect(await rig.endpoint()).toMatchObject({ examined: { failed: ['TWO_SIGNATURES'] } });
  const signingSecrets = [signingSecret];
  await rig.saveEndpoint(`${server.url}&moved`, { signingSecrets });
  expect((await rig.endpoint()).examined).toBeUndefined();
  await rig.saveEndpoint(server.url, { signingSecrets });
  expect((await rig.endpoint()).examined).toBeDefined();
  await rig.saveEndpoint(server.url, { signingSecrets: [{ ...signingSecret, createdAt: 7 }] });
  expect((await rig.endpoint()).examined).toBeUndefined();
});

test('rule 56: five examinations in ten minutes, and no address that callbacks could not have', async () => {
  await rig.saveEndpoint('http://169.254.169.254/latest');
  const refused = await rig.examine('public');
  const { failed, checks } = refused.body as { failed: number; checks: Judged[] };
  expect({ failed, verdict: checks[0]?.verdict }).toEqual({ failed: 1, verdict: 'FAILED' });
  expect(checks[0]?.meaning).toContain('must lead to public addresses only');
  for (let n = 2; n <= 5; n++) expect((await rig.examine('public')).status).toBe(200);
  expect(await rig.examine('public')).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.any(String) },
    body: {
      status: 'TEST_LIMIT_EXCEEDED',
      errors: [
        expect.stringMatching(/^callbacks: 5 examinations in 10 minutes are possible, examine again after/),
      ],
    },
  });
});

test('an endpoint that is not set cannot be examined', async () => {
  expect(await rig.examine()).toMatchObject({ status: 404, body: { status: 'ENDPOINT_NOT_SET' } });
});
