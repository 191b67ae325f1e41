import { beforeEach, expect, test } from 'vitest';
import type { Judged } from '../../../shared/callbacks/examination/judge.ts';
import { collectLines } from '../../support/log-lines.ts';
import { basic, basicHeader, correct, examinationRig, signingSecret } from './examination-rig.ts';
import { loopbackPartner, reply } from './loopback-partner.ts';

let rig: Awaited<ReturnType<typeof examinationRig>>;
beforeEach(async () => {
  rig = await examinationRig();
});

test.each([
  [
    'a redirect is not followed',
    302,
    'the response was 302; redirects are not followed, set the address they lead to',
  ],
  [
    'a pace is missing',
    429,
    'the response was 429; set maxPerSecond to what your receiver takes, and examine again',
  ],
])('rule 56: where %s, the meaning says what to change', async (_, status, meaning) => {
  const elsewhere = await loopbackPartner();
  await rig.saveEndpoint(rig.server.url, { signingSecrets: [signingSecret] });
  rig.server.responses(reply(status, { location: elsewhere.url }));
  const { checks } = (await rig.examine()).body as { checks: Judged[] };
  expect(checks[0]?.meaning).toBe(`A callback as we send them: ${meaning}.`);
  expect(rig.server.received).toHaveLength(1);
  expect(elsewhere.connections()).toBe(0);
  await elsewhere.close();
});

test('rule 55: an examination writes an event, which names the key and what failed', async () => {
  await rig.examined(correct, { basic });
  await rig.examined((request) => (request.headers['webhook-id'] ? 500 : 204));
  const { events } = await rig.events.page('bars', { limit: 10, nowMs: Date.now() });
  expect(events.map(({ kind, by, data }) => ({ kind, by, data }))).toEqual([
    {
      kind: 'endpoint.examined',
      by: 'bars',
      data: { what: 'examined: VALID failed, 12 skipped' },
    },
    { kind: 'endpoint.examined', by: 'bars', data: { what: 'examined: BASIC_MISSING failed' } },
  ]);
});

test('rule 56: of eight examinations at once five run, 16 requests each at most', async () => {
  await rig.saveEndpoint(rig.server.url, { signingSecrets: [signingSecret], basic });
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await rig.examine()).status));
  expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  expect(rig.server.received).toHaveLength(80);
});

test('rule 56: neither the response nor a log line has a secret, or what the receiver responded', async () => {
  const lines = collectLines();
  rig.server.responses(reply(401, { 'x-internal': 'loud-header' }, 'loud-body'));
  await rig.saveEndpoint(rig.server.url, { signingSecrets: [signingSecret], basic });
  const refusedOne = await rig.examine();
  rig.server.responses(reply(200, { 'x-internal': 'loud-header' }, 'loud-body'));
  const told = JSON.stringify([lines, refusedOne, await rig.examine()]);
  expect(lines).toHaveLength(2);
  const { secret } = signingSecret;
  const hidden = [
    secret,
    secret.slice(6),
    'pass:word',
    basicHeader,
    'partner-secret',
    'v1,',
    'loud-',
    '9999999999',
  ];
  expect(hidden.filter((one) => told.includes(one))).toEqual([]);
});

test('rule 56: an examination works while the endpoint is disabled, and touches no circuit', async () => {
  expect(
    (await rig.examined(() => 200, { status: 'disabled', disabledReason: 'x', disabledAt: 1 })).passed,
  ).toBe(7);
  expect(await rig.endpoints.view('bars')).toMatchObject({
    endpoint: { status: 'disabled' },
    circuit: { failures: 0 },
  });
});

test('rule 56: the endpoint shows what failed, until its address or its secrets change', async () => {
  const { examinedAt } = await rig.examined(({ body, ...request }) =>
    correct({ ...request, body: body.trim() }),
  );
  expect(await rig.endpoint()).toMatchObject({ examined: { at: examinedAt, failed: [], skipped: 0 } });
  await rig.examined((request) =>
    request.headers['webhook-signature']?.includes(' ') ? 400 : correct(request),
  );
  expect(await rig.endpoint()).toMatchObject({ examined: { failed: ['TWO_SIGNATURES'] } });
  const signingSecrets = [signingSecret];
  await rig.saveEndpoint(`${rig.server.url}&moved`, { signingSecrets });
  expect((await rig.endpoint()).examined).toBeUndefined();
  await rig.saveEndpoint(rig.server.url, { signingSecrets });
  expect((await rig.endpoint()).examined).toBeDefined();
  await rig.saveEndpoint(rig.server.url, { signingSecrets: [{ ...signingSecret, createdAt: 7 }] });
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
