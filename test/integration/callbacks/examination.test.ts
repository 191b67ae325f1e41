import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { examinationKey } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { updateExpression, updateRow } from '../../../shared/platform/table/rows.ts';
import { basic as authorizationOf } from '../../support/basic.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { loopbackPartner, reply } from './loopback-partner.ts';
import { selfServiceRig } from './self-service-rig.ts';

const signingSecret = { secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`, createdAt: 1 };
const basic = { login: 'wallet', secret: 'pass:word' };
const basicHeader = authorizationOf('wallet', 'pass:word');

/** A receiver on the library that Standard Webhooks publishes, and the operation that examines it. */
async function examinationRig() {
  const rig = await selfServiceRig();
  // The library compares the timestamp with the real time.
  rig.clock.set(Date.now());
  const server = await loopbackPartner();
  server.responses((response, received) => {
    let status = 204;
    try {
      new Webhook(signingSecret.secret).verify(received.body, received.headers as Record<string, string>);
    } catch {
      status = 401;
    }
    reply(status)(response, received);
  });
  const setReceiver = (settings: Parameters<typeof rig.saveEndpoint>[1] = {}) =>
    rig.saveEndpoint(server.url, { signingSecrets: [signingSecret], ...settings });
  await setReceiver();
  const examine = () => rig.ask('examine');
  const shown = async () => (await rig.ask('get')).body.examined;
  return { ...rig, server, setReceiver, examine, shown };
}

const rig = inEachTest(examinationRig);

test('rule 56: a receiver on the library of Standard Webhooks passes every check', async () => {
  const { status, body } = await rig.examine();
  const examinedAt = new Date(rig.clock.now()).toISOString();
  expect({ status, body }).toMatchObject({ status: 200, body: { examinedAt, passed: 13, failed: 0 } });
  const responses = (checks: string, expected: string, httpStatus: number) =>
    checks.split(' ').map((check) => ({ check, expected, httpStatus, verdict: 'PASSED' }));
  expect(body.checks).toMatchObject([
    ...responses('VALID REPEATED TOGETHER OPENED_FIRST TWO_SIGNATURES UNICODE UNKNOWN_MEMBER', '2xx', 204),
    ...responses('SIGNATURE_MISSING SIGNATURE_WRONG BODY_CHANGED ID_CHANGED', '4xx', 401),
    ...responses('TIMESTAMP_OLD TIMESTAMP_AHEAD', '4xx', 401),
  ]);
  expect(body.checks[0].meaning).toBe('A callback as we send them: taken.');
});

test('rule 55: an examination, of a disabled endpoint too, writes an event, which names the key and what failed, and changes nothing', async () => {
  const disabled = { status: 'disabled', disabledReason: 'x', disabledAt: 1 } as const;
  await rig.examine();
  rig.clock.advance(1);
  await rig.setReceiver({ basic, ...disabled });
  await rig.examine();
  rig.clock.advance(1);
  await rig.setReceiver();
  rig.server.responses(reply(410));
  await rig.examine();
  const { events } = await rig.events.page('bars', { limit: 10, nowMs: rig.clock.now() });
  const asked = { kind: 'endpoint.examined', by: 'bars-office' };
  expect(events.map(({ kind, by, data }) => ({ kind, by, data }))).toEqual([
    { ...asked, data: { what: 'examined: VALID failed, 12 skipped' } },
    { ...asked, data: { what: 'examined: BASIC_MISSING failed' } },
    { ...asked, data: { what: 'examined: no check failed' } },
  ]);
  const at = new Date(rig.clock.now()).toISOString();
  expect(await rig.shown()).toEqual({ at, failed: ['VALID'], skipped: 12 });
  const { endpoint, circuit } = await rig.endpoints.view('bars');
  expect([endpoint?.status, circuit.failures]).toEqual(['enabled', 0]);
});

test('rule 56: of eight examinations at once five run, 16 requests each at most', async () => {
  await rig.setReceiver({ basic });
  const responses = await Promise.all(Array.from({ length: 8 }, rig.examine));
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
  await rig.examine();
  // Another version of the service, which was rolled back, may know other checks.
  const set = { failed: ['HEARD_OF_LATER'] };
  await updateRow(rig.table, { Key: examinationKey('bars'), ...updateExpression({ set }) });
  expect(await rig.shown()).toMatchObject(set);
  await rig.saveEndpoint(`${rig.server.url}&moved`, { signingSecrets: [signingSecret] });
  expect(await rig.shown()).toBeUndefined();
  await rig.setReceiver();
  expect(await rig.shown()).toBeDefined();
  await rig.setReceiver({ signingSecrets: [{ ...signingSecret, createdAt: 7 }] });
  expect(await rig.shown()).toBeUndefined();
});
