import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { Judged } from '../../../shared/callbacks/examination/judge.ts';
import { examinationKey } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { updateExpression, updateRow } from '../../../shared/platform/table/rows.ts';
import { basic as authorizationOf } from '../../support/basic.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { loopbackPartner, reply } from './loopback-partner.ts';
import { selfServiceRig } from './self-service-rig.ts';

type Request = { headers: Record<string, string>; body: string; secret: string };
/** A partner's server: the status of its response to a callback. */
type Receiver = (request: Request) => number;
type Settings = Parameters<Awaited<ReturnType<typeof selfServiceRig>>['saveEndpoint']>[1];
type Examination = { examinedAt: string; passed: number; failed: number; checks: Judged[] };

const signingSecret = { secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`, createdAt: 1 };
const basic = { login: 'wallet', secret: 'pass:word' };
const basicHeader = authorizationOf('wallet', 'pass:word');

/** A receiver on loopback, and the operation that examines it. */
async function examinationRig() {
  const rig = await selfServiceRig();
  // Receivers compare the timestamp with the real time.
  rig.clock.set(Date.now());
  const server = await loopbackPartner();
  const setReceiver = (settings: Settings = {}) =>
    rig.saveEndpoint(server.url, { signingSecrets: [signingSecret], ...settings });
  const examine = (stage: 'local' | 'deployed' = 'local') => rig.ask('examine', undefined, { stage });
  return {
    ...rig,
    server,
    setReceiver,
    examine,
    examined: async (receiver: Receiver, settings: Settings = {}): Promise<Examination> => {
      await setReceiver(settings);
      server.responses((response, received) => {
        const headers = received.headers as Record<string, string>;
        const status = receiver({ headers, body: received.body, secret: signingSecret.secret });
        reply(status)(response, received);
      });
      const { status, body } = await examine();
      expect(status).toBe(200);
      return body;
    },
  };
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

/** The receiver on that library. */
function correct(request: Request): number {
  return isVerified(request) ? 204 : 401;
}

const rig = inEachTest(examinationRig);

const positive = 'REPEATED TOGETHER OPENED_FIRST TWO_SIGNATURES UNICODE';
const negative = 'SIGNATURE_MISSING SIGNATURE_WRONG BODY_CHANGED ID_CHANGED TIMESTAMP_OLD TIMESTAMP_AHEAD';

/** Gives checks, separated by blanks, the same verdict. */
function all(checks: string, verdict: string) {
  return Object.fromEntries(checks.split(' ').map((check) => [check, verdict]));
}

/** The checks that did not pass, with their verdicts. */
async function shortcomings(receiver: Receiver, settings: Settings = {}) {
  const { checks } = await rig.examined(receiver, settings);
  const others = checks.filter(({ verdict }) => verdict !== 'PASSED');
  return Object.fromEntries(others.map(({ check, verdict }) => [check, verdict]));
}

test('rule 56: a receiver on the library of Standard Webhooks passes every check', async () => {
  const { passed, failed, checks, examinedAt } = await rig.examined(correct);
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

test.each<[string, () => Receiver, object]>([
  ['checks nothing', () => () => 200, all(negative, 'FAILED')],
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
    all(negative, 'ADVICE'),
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
  expect(await shortcomings(receiver())).toEqual(expected);
});

test('rule 56: credentials that the receiver does not ask for fail, if they are set', async () => {
  expect(await shortcomings(correct, { basic })).toEqual({ BASIC_MISSING: 'FAILED' });
});

test('rule 56: where the valid callback is refused nothing else is sent, and the meaning says what to change', async () => {
  const { checks } = await rig.examined(() => 410);
  expect(rig.server.received).toHaveLength(1);
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
  expect(await rig.endpoints.view('bars')).toMatchObject({
    endpoint: { status: 'enabled' },
    circuit: { failures: 0 },
  });
});

test('rule 55: an examination, of a disabled endpoint too, writes an event, which names the key and what failed', async () => {
  const disabled = { status: 'disabled', disabledReason: 'x', disabledAt: 1 } as const;
  for (const settings of [{}, { basic, ...disabled }]) {
    await rig.examined(correct, settings);
    rig.clock.advance(1);
  }
  await rig.examined((request) => (request.headers['webhook-id'] ? 500 : 204));
  const { events } = await rig.events.page('bars', { limit: 10, nowMs: rig.clock.now() });
  const asked = { kind: 'endpoint.examined', by: 'bars-office' };
  expect(events.map(({ kind, by, data }) => ({ kind, by, data }))).toEqual([
    { ...asked, data: { what: 'examined: VALID failed, 12 skipped' } },
    { ...asked, data: { what: 'examined: BASIC_MISSING failed' } },
    { ...asked, data: { what: 'examined: no check failed' } },
  ]);
});

test('rule 56: of eight examinations at once five run, 16 requests each at most', async () => {
  await rig.setReceiver({ basic });
  const responses = await Promise.all(Array.from({ length: 8 }, () => rig.examine()));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  const sentence = /^callbacks: 5 examinations in 10 minutes are possible, examine again after/;
  expect(responses.find(({ status }) => status === 429)).toMatchObject({
    headers: { 'retry-after': expect.any(String) },
    body: { status: 'TEST_LIMIT_EXCEEDED', errors: [expect.stringMatching(sentence)] },
  });
  expect(rig.server.received).toHaveLength(80);
});

test('rule 56: neither the response nor a log line has a secret, or what the receiver responded', async () => {
  const lines = collectLines();
  rig.server.responses(reply(401, { 'x-internal': 'loud-header' }, 'loud-body'));
  await rig.setReceiver({ basic });
  const refusedOne = await rig.examine();
  rig.server.responses(reply(200, { 'x-internal': 'loud-header' }, 'loud-body'));
  const told = JSON.stringify([lines, refusedOne, await rig.examine()]);
  expect(lines).toHaveLength(2);
  const secret = signingSecret.secret.slice(6);
  const hidden = [secret, 'pass:word', basicHeader, 'partner-secret', 'v1,', 'loud-', '9999999999'];
  expect(hidden.filter((one) => told.includes(one))).toEqual([]);
});

test('rule 56: the endpoint shows what failed, until its address or its secrets change', async () => {
  const shown = async () => (await rig.ask('get')).body.examined;
  const { examinedAt } = await rig.examined(correct);
  expect(await shown()).toEqual({ at: examinedAt, failed: [], skipped: 0 });
  const oneSignature: typeof correct = (request) =>
    request.headers['webhook-signature']?.includes(' ') ? 400 : correct(request);
  await rig.examined(oneSignature);
  expect(await shown()).toMatchObject({ failed: ['TWO_SIGNATURES'] });
  // Another version of the service, which was rolled back, may know other checks.
  const set = { failed: ['HEARD_OF_LATER'] };
  await updateRow(rig.table, { Key: examinationKey('bars'), ...updateExpression({ set }) });
  expect(await shown()).toMatchObject(set);
  await rig.saveEndpoint(`${rig.server.url}&moved`, { signingSecrets: [signingSecret] });
  expect(await shown()).toBeUndefined();
  await rig.setReceiver();
  expect(await shown()).toBeDefined();
  await rig.setReceiver({ signingSecrets: [{ ...signingSecret, createdAt: 7 }] });
  expect(await shown()).toBeUndefined();
});

test('rule 56: no address is examined that callbacks could not have', async () => {
  await rig.saveEndpoint('http://169.254.169.254/latest');
  const { failed, checks } = (await rig.examine('deployed')).body;
  expect({ failed, verdict: checks[0].verdict }).toEqual({ failed: 1, verdict: 'FAILED' });
  expect(checks[0].meaning).toContain('must lead to public addresses only');
});
