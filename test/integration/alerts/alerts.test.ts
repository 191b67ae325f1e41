import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { ownedRows } from '../../../ops/data-lifecycle/owned-rows.ts';
import { callbackTests } from '../../../shared/callbacks/limits.ts';
import { keyStore } from '../../../shared/partners/key-store.ts';
import type { Row } from '../../../shared/platform/table/batches.ts';
import { readPartition } from '../../../shared/platform/table/rows.ts';
import { day, hour, minute } from '../../support/clock.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { streamRecord } from '../../support/stream-record.ts';
import { loopbackPartner, reply } from '../callbacks/loopback-partner.ts';
import { alertsRig } from './alerts-rig.ts';

const rig = inEachTest(alertsRig);
const server = inEachTest(loopbackPartner);

function textsSent(): { type: string; text: string }[] {
  return server.received.map(({ body }) => JSON.parse(body));
}

async function secretOf(body: unknown): Promise<string> {
  return ((await rig.alerts('PUT', body)).body as { secret: string }).secret;
}

test('rule 55: an event of a wanted kind is posted with its id, signed, with a sentence that a chat shows', async () => {
  const secret = await secretOf({ url: server.url });
  await rig.addFailing();
  await rig.add('bars', { kind: 'key.created', atMs: rig.clock.now() });
  const lines = collectLines();
  await rig.tell();
  // Searches of the log for the partner find its alerts.
  expect(lines).toContainEqual(
    expect.objectContaining({ code: 'DeliverCallback', partnerId: 'bars', endpoint: 'alerts' }),
  );
  const [failed] = (await rig.read()).filter(({ kind }) => kind === 'endpoint.failing');
  expect(server.received).toHaveLength(1);
  const { headers, body } = server.received[0] as (typeof server.received)[number];
  expect(headers['webhook-id']).toBe(failed?.eventId);
  // The library that verifies one compares the clocks, which differ here.
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const signature = new Webhook(secret).sign(String(failed?.eventId), sentAt, body);
  expect(headers['webhook-signature']).toBe(signature);
  expect(JSON.parse(body)).toEqual({
    type: 'endpoint.failing',
    timestamp: new Date(failed?.at ?? 0).toISOString(),
    data: { what: 'nothing was delivered for over 15 minutes' },
    text: 'bars: the callback endpoint is failing: nothing was delivered for over 15 minutes.',
  });
});

test('rule 55: only the chosen kinds are sent, of this partner alone, and nothing without an address', async () => {
  await rig.failing();
  await rig.alerts('PUT', { url: server.url, kinds: ['key.created'] });
  rig.clock.advance(6_000);
  await rig.addFailing();
  await rig.add('bakery', { kind: 'key.created', atMs: rig.clock.now() });
  await rig.add('bars', {
    kind: 'key.created',
    by: '<b&r>',
    atMs: rig.clock.now(),
    data: { login: 'x', role: 'full' },
  });
  await rig.tell();
  expect(textsSent().map(({ text }) => text)).toEqual([
    'bars: key x was created with the role full, by &lt;b&amp;r&gt;.',
  ]);
});

test('rule 55: PUT shows the address and a new secret, and leaves an event with its host alone', async () => {
  const url = 'http://127.0.0.1:9000/T0/B0/token';
  const usual =
    'endpoint.failing endpoint.recovered endpoint.disabled callbacks.failed list.held list.failed'.split(' ');
  const secret = expect.stringMatching(/^whsec_/);
  const body = { url, status: 'ENABLED', kinds: usual, secret };
  expect(await rig.alerts('PUT', { url })).toMatchObject({ status: 200, body });
  expect(await rig.read()).toMatchObject([
    { kind: 'alerts.changed', by: 'bars-office', data: { what: 'address (127.0.0.1:9000) changed' } },
  ]);
  // The incoming webhook of a chat takes one a second.
  expect(await rig.storedAlerts()).toMatchObject({ maxPerSecond: 1, log: 'failures' });
  const shown = { url, circuit: { state: 'CLOSED' }, secrets: [{ createdAt: expect.any(String) }] };
  expect((await rig.alerts('GET')).body).toMatchObject(shown);
  expect((await rig.alerts('GET', undefined, { role: 'observer' })).body).toMatchObject({
    url: 'http://127.0.0.1:9000',
  });
  const kinds = ['key.created'];
  expect((await rig.alerts('PUT', { url, kinds })).body).toMatchObject({ kinds });
  expect((await rig.alerts('PUT', { url })).body).toMatchObject({ kinds: usual });
});

test('rule 55: of several PUTs the two newest secrets sign', async () => {
  const secrets = [];
  for (const _ of [1, 2, 3]) {
    rig.clock.advance(minute);
    secrets.push(await secretOf({ url: server.url }));
  }
  const signing = (await rig.storedAlerts())?.signingSecrets.map(({ secret }) => secret);
  expect(signing).toEqual(secrets.slice(1));
});

test.each([
  [{ url: 'https://api.example/places' }, 'url: is this service'],
  // A receiver of the sandbox knows the secrets of callbacks alone.
  [{ url: 'https://api.example/sandbox/callbacks/bars.x' }, 'url: is this service'],
  [
    { url: 'https://hooks.example/', kinds: ['alerts.changed'] },
    expect.stringMatching(/^kinds\[0\]: must be one of key.created, (?!.*alerts.changed)/),
  ],
])('rule 55: alerts to %j are refused', async (body, sentence) => {
  expect(await rig.alerts('PUT', body)).toMatchObject({ status: 400, body: { errors: [sentence] } });
});

test('rule 55: without an address GET, DELETE and a test are 404', async () => {
  for (const method of ['GET', 'DELETE', 'POST'] as const)
    expect(await rig.alerts(method)).toMatchObject({ status: 404, body: { status: 'ALERTS_NOT_SET' } });
});

test('rule 55: a test is one alert, works while alerts are disabled, and counts with those of callbacks', async () => {
  await rig.alerts('PUT', { url: server.url });
  await rig.settings.disable('bars#alerts', { reason: 'answered 410', by: 'bars' });
  await callbackTests(rig.table).take('bars', 9, rig.clock.now());
  server.responses(reply(400, { 'content-type': 'text/plain' }, 'no_text'));
  expect(await rig.alerts('POST')).toMatchObject({
    status: 200,
    body: { delivered: false, httpStatus: 400, response: 'no_text' },
  });
  const alert = { type: 'alerts.test', text: 'bars: this is a test, alerts reach you here.' };
  expect(textsSent()).toMatchObject([alert]);
  const sentence = 'alerts: 10 tests a minute are possible, test again after 60 s';
  expect(await rig.alerts('POST')).toMatchObject(refusal(429, 'TEST_LIMIT_EXCEEDED', sentence));
  expect((await rig.alerts('GET')).body).not.toHaveProperty('failingSince');
});

test('rule 55: GET shows an address that is disabled, nothing is sent there, and a PUT enables it', async () => {
  await rig.alerts('PUT', { url: server.url });
  await rig.settings.disable('bars#alerts', { reason: 'answered 410', by: 'bars' });
  expect((await rig.alerts('GET')).body).toMatchObject({ status: 'DISABLED', reason: 'answered 410' });
  await rig.failing();
  rig.clock.advance(6_000);
  await rig.alerts('PUT', { url: server.url });
  rig.clock.advance(6_000);
  expect(server.received).toEqual([]);
  await rig.failing();
  expect(server.received).toHaveLength(1);
  expect((await rig.alerts('GET')).body).toMatchObject({ status: 'ENABLED', circuit: { state: 'CLOSED' } });
  expect(await rig.storedAlerts()).not.toHaveProperty('disabledReason');
});

test('rule 55: a PUT that died is repeated under its Idempotency-Key: the secret that nobody saw goes', async () => {
  await rig.alerts('PUT', { url: server.url });
  const [seen] = (await rig.storedAlerts())?.signingSecrets ?? [];
  rig.clock.advance(1_000);
  const dies = failingCommand(rig.table.client, 'UpdateItemCommand');
  await rig.alerts('PUT', { url: server.url }, { key: 'put-1' });
  dies.remove();
  rig.clock.advance(60_000);
  const { body } = await rig.alerts('PUT', { url: server.url }, { key: 'put-1' });
  const secrets = (await rig.storedAlerts())?.signingSecrets.map(({ secret }) => secret);
  expect(secrets).toEqual([seen?.secret, (body as { secret: string }).secret]);
});

test('rule 55: a dead address is disabled after five days, causes no alert, and counts as no endpoint of callbacks', async () => {
  const kinds = ['endpoint.failing', 'endpoint.disabled'];
  await rig.alerts('PUT', { url: server.url, kinds });
  server.responses(reply(500));
  const openUntil = rig.clock.now();
  const since = openUntil - 6 * day;
  const open = { failures: 9, openings: 3, failingSince: since, firstOpenedAt: since, openUntil };
  await rig.setCircuit(open, 'bars#alerts');
  const lines = collectLines();
  await rig.sweep();
  await rig.failing();
  expect((await rig.alerts('GET')).body).toMatchObject({ status: 'DISABLED', reason: 'failing for 5 days' });
  rig.clock.advance(minute);
  await rig.tell();
  const told = (await rig.read()).map(({ kind }) => kind).sort();
  expect(told).toEqual(['alerts.changed', 'alerts.changed', 'alerts.changed', 'endpoint.failing']);
  expect(textsSent().map(({ type }) => type)).toEqual(['endpoint.failing']);
  expect(lines.filter((line) => 'CircuitsOpen' in line || 'EndpointsDisabled' in line)).toEqual([]);
});

test('rule 55: what an open circuit deferred is skipped once the address is deleted, and never goes to another', async () => {
  const partnerId = 'bars#alerts';
  await rig.alerts('PUT', { url: server.url });
  const open = { failures: 5, openings: 1, failingSince: 1, openUntil: rig.clock.now() + minute };
  await rig.setCircuit(open, partnerId);
  await rig.keepOne('deferred', { partnerId, waitsForCircuit: true });
  await rig.alerts('DELETE');
  rig.clock.advance(minute);
  await rig.sweepAndWork();
  await rig.alerts('PUT', { url: server.url });
  rig.clock.advance(hour);
  await rig.sweepAndWork();
  expect(await rig.row('deferred')).toMatchObject({ status: 'skipped', reason: 'no endpoint' });
  expect(server.received).toEqual([]);
});

test('rule 50: a key that has ended sees only the origin of the address', async () => {
  await rig.alerts('PUT', { url: `${server.url}/T0/B0/token` });
  await keyStore(rig.table).remove('bars', 'bars-office', { atMs: rig.clock.now() });
  expect((await rig.alerts('GET')).body).toMatchObject({ url: new URL(server.url).origin });
});

test('rule 55: an event of a kind that only a newer version knows is no alert, and holds up nothing', async () => {
  await rig.alerts('PUT', { url: server.url });
  await rig.addFailing();
  const [known] = await readPartition(rig.table, 'EVENTS#bars', { ScanIndexForward: false, Limit: 1 });
  const Records = [streamRecord({ ...known, kind: 'card.lost' }), streamRecord(known)];
  expect(await rig.fanOut({ Records })).toEqual({ batchItemFailures: [] });
  await rig.work();
  expect(textsSent().map(({ type }) => type)).toEqual(['endpoint.failing']);
  expect(await rig.table.rows('PARKED#')).toEqual([]);
});

test('rule 55: an event that cannot be processed is parked with its partner, which erasing the partner finds', async () => {
  await rig.addFailing();
  const [row] = await readPartition(rig.table, 'EVENTS#bars', { ScanIndexForward: false, Limit: 1 });
  const lines = collectLines();
  await rig.fanOut({ Records: [streamRecord({ ...row, at: 'noon' })] });
  expect(lines).toMatchObject([{ code: 'FanOutStates', Parked: 1, status: '500', partnerId: 'bars' }]);
  const parked = (await rig.table.rows('PARKED#FanOutStates'))[0];
  const owner = { partnerId: 'bars', offerIds: new Set<string>() };
  expect(await ownedRows(rig.table, owner, [parked as Row])).toEqual([parked]);
  expect(await ownedRows(rig.table, { ...owner, partnerId: 'bakery' }, [parked as Row])).toEqual([]);
});
