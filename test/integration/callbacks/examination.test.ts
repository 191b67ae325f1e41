import { expect, test } from 'vitest';
import { inEachTest } from '../../support/in-each-test.ts';
import {
  basic,
  correct,
  examinationRig,
  isVerified,
  type Receiver,
  type Settings,
} from './examination-rig.ts';

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
