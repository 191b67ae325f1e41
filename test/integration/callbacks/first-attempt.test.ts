import { expect, test } from 'vitest';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { rigWithPartner } from './callbacks-rig.ts';
import { reply, silence } from './loopback-partner.ts';

const rig = inEachTest(rigWithPartner);

test('rule 22: a change reaches the partner exactly as the contract has it', async () => {
  expect(
    await rig.changeAndWork('4f6a2c1e-0000-4000-8000-000000000001', {
      utm: '{"utmSource":"приложение","utmCampaign":"may"}',
    }),
  ).toEqual({ taken: 1, failed: 0 });
  expect(rig.partner.received.map(({ body }) => body)).toEqual([
    '{"msisdn":79001234567,"messageId":"4f6a2c1e-0000-4000-8000-000000000001","state":"DELIVERED","time":"2026-05-20T12:00:00Z","utm":{"utmSource":"приложение","utmCampaign":"may"}}',
  ]);
  expect(rig.partner.received[0]?.url).toBe('/status?key=partner-secret');
  expect(rig.partner.received[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'PartnerIntegrationService/0.1.0',
    'webhook-id': '4f6a2c1e-0000-4000-8000-000000000001-DELIVERED',
    'webhook-timestamp': '1779278400',
  });
  expect(rig.partner.received[0]?.headers).not.toHaveProperty('authorization');
});

test('how long a state waited for its first attempt is measured from its record, once', async () => {
  const lines = collectLines();
  rig.partner.responses(reply(500));
  // The hour for which the device was offline does not count: nothing was recorded yet.
  await rig.change('m1', { changedAt: rig.clock.now() - 3_600_000 });
  rig.clock.advance(31_000);
  await rig.work();
  expect(lines).toMatchObject([{ function: 'DeliverCallback', FirstAttemptSeconds: 31, attempt: 1 }]);
  rig.partner.responses(reply(200));
  await rig.work();
  // A message of the slow lane was already measured when it was forwarded.
  await rig.change('m2');
  await rig.work(rig.newWorker({ lane: { name: 'slow' } }));
  const [, ...others] = lines;
  expect(others).toMatchObject([{ attempt: 2 }, { code: 'DeliverSlowCallback', attempt: 1 }]);
  for (const line of others) expect(line).not.toHaveProperty('FirstAttemptSeconds');
  // The clock of this worker is behind that of the one that recorded.
  await rig.change('m3');
  const Records = rig.records();
  rig.clock.advance(-2_000);
  await rig.worker({ Records });
  expect(lines.at(-1)).toMatchObject({ messageId: 'm3', FirstAttemptSeconds: 0 });
});

test('a failed first attempt becomes a row and a delayed message, and is acknowledged', async () => {
  rig.partner.responses(reply(500));
  expect(await rig.changeAndWork('m1', { utm: '{"utmSource":"app"}' })).toEqual({ taken: 1, failed: 0 });
  expect(await rig.row('m1')).toEqual({
    pk: 'CALLBACKS#bars#2',
    sk: 'm1#DELIVERED',
    listedShard: 'bars#2#waiting',
    partnerId: 'bars',
    messageId: 'm1',
    state: 'DELIVERED',
    msisdn: 79001234567,
    changedAt: rig.clock.now(),
    utm: '{"utmSource":"app"}',
    status: 'waiting',
    dueShard: 'DUE#2',
    dueAt: rig.clock.now() + 5_000,
    version: 1,
    tries: 1,
    attempts: [{ at: rig.clock.now(), durationMs: expect.any(Number), httpStatus: 500, error: 'status' }],
    createdAt: rig.clock.now(),
    updatedAt: rig.clock.now(),
    expiresAt: rig.clock.now() / 1_000 + 2_592_000,
  });
  expect(rig.queue.delays).toEqual([5]);
});

test.each([
  ['rule 23: no response within the time limit', undefined, 'timeout'],
  ['rule 25: a private address', 'https://10.0.0.1/status', 'refused'],
])('%s is the partner’s failure', async (_what, url = rig.partner.url, error) => {
  await rig.saveEndpoint(url, { timeoutMs: 50 });
  rig.partner.responses(silence);
  expect(await rig.changeAndWork('m1')).toEqual({ taken: 1, failed: 0 });
  expect(await rig.row('m1')).toMatchObject({ status: 'waiting', attempts: [{ error }] });
});

test('a message that nobody can read is parked with its reason', async () => {
  const record = { messageId: 'sqs-1', body: '{"kind":"first"', attributes: {} } as never;
  expect(await rig.worker({ Records: [record] })).toEqual({ batchItemFailures: [] });
  expect(await rig.table.rows('PARKED#callbacks')).toMatchObject([
    { sk: 'sqs-1', reason: 'not a callback message', body: '{"kind":"first"' },
  ]);
});

test('one line an attempt, without number, address, secrets or bodies', async () => {
  await rig.saveEndpoint(rig.partner.url, { basic: { login: 'bars', secret: 'open sesame' } });
  rig.partner.responses(reply(503, {}, 'we are painting'));
  const lines = collectLines();
  await rig.changeAndWork('m1', { utm: '{"utmSource":"secret-source"}' });
  const attempt = { outcome: 'done', partnerId: 'bars', messageId: 'm1', state: 'DELIVERED', attempt: 1 };
  const result = { msisdnEnd: '4567', httpStatus: 503, error: 'status', result: 'retry' };
  expect(lines).toEqual([expect.objectContaining({ message: 'DeliverCallback', ...attempt, ...result })]);
  const text = JSON.stringify(lines);
  for (const hidden of ['79001234567', 'partner-secret', 'open sesame', 'whsec', 'secret-source', 'painting'])
    expect(text).not.toContain(hidden);
});
