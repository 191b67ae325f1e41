import { expect, test } from 'vitest';
import { examinationKey } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { updateExpression, updateRow } from '../../../shared/platform/table/rows.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { basic, basicHeader, correct, examinationRig, signingSecret } from './examination-rig.ts';
import { reply } from './loopback-partner.ts';

const rig = inEachTest(examinationRig);

test('rule 55: an examination writes an event, which names the key and what failed', async () => {
  await rig.examined(correct, { basic });
  rig.clock.advance(1);
  await rig.examined((request) => (request.headers['webhook-id'] ? 500 : 204));
  const { events } = await rig.events.page('bars', { limit: 10, nowMs: rig.clock.now() });
  const asked = { kind: 'endpoint.examined', by: 'bars-office' };
  expect(events.map(({ kind, by, data }) => ({ kind, by, data }))).toEqual([
    { ...asked, data: { what: 'examined: VALID failed, 12 skipped' } },
    { ...asked, data: { what: 'examined: BASIC_MISSING failed' } },
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

test('rule 56: an examination works while the endpoint is disabled, and touches no circuit', async () => {
  const disabled = { status: 'disabled', disabledReason: 'x', disabledAt: 1 } as const;
  expect((await rig.examined(() => 200, disabled)).passed).toBe(7);
  expect(await rig.endpoints.view('bars')).toMatchObject({
    endpoint: { status: 'disabled' },
    circuit: { failures: 0 },
  });
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
