import { describe, expect, test } from 'vitest';
import { endpointSettings } from '../../../shared/callbacks/endpoint/settings.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { invalid, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { ok } from './callbacks-rig.ts';
import { selfServiceRig } from './self-service-rig.ts';

const rig = inEachTest(selfServiceRig);

const url = 'https://bars.example/callbacks';
const basic = { login: 'wallet', password: 'pass:wörd' };
const notSet = { status: 404, body: { status: 'ENDPOINT_NOT_SET' } };

describe('rule 33: setting the endpoint', () => {
  test('shows the signing secret the first time and never again, nor any password; the rest stays until null ends it', async () => {
    const paced = { maxPerSecond: 50, states: ['OPENED'] };
    const shown = { mode: 'post', url, status: 'ENABLED', log: 'failures', basicLogin: 'wallet', ...paced };
    const first = await rig.ask('put', { url: ` ${url}\n`, basic, ...paced });
    const { secret, ...others } = first.body;
    expect(secret).toMatch(/^whsec_/);
    expect(others).toEqual({ ...shown, timeoutSeconds: 15 });
    expect((await rig.ask('put', { timeoutSeconds: 5 })).body).toEqual({ ...shown, timeoutSeconds: 5 });
    await rig.ask('put', { log: 'all' });
    await rig.ask('put', { basic: null, maxPerSecond: null, states: null });
    const { body } = await rig.ask('get');
    expect(body).toMatchObject({ url, timeoutSeconds: 5, log: 'all' });
    for (const ended of ['basicLogin', 'maxPerSecond', 'states']) expect(body).not.toHaveProperty(ended);
    expect(JSON.stringify(body)).not.toContain(secret);
    expect((await rig.stored())?.signingSecrets).toMatchObject([{ secret }]);
  });

  test('again to what it is, with its states in another order, leaves no notice', async () => {
    const set = { url, basic, states: ['OPENED', 'DELIVERED'] };
    await rig.ask('put', set);
    rig.clock.advance(1_000);
    await rig.ask('put', { ...set, states: set.states.toReversed() });
    expect(await rig.notices()).toEqual([['address, HTTP Basic changed', 'bars-office']]);
  });

  test('again to the mode and address that it has leaves an open circuit open', async () => {
    await rig.ask('put', { url });
    const open = { failures: 5, openings: 1, failingSince: 1, openedAt: 1, openUntil: 2 };
    await rig.setCircuit(open);
    await rig.ask('put', { mode: 'post', url, timeoutSeconds: 9 });
    expect((await rig.endpoints.view('bars')).circuit).toEqual(open);
  });

  test.each([
    [{ timeoutSeconds: 5 }, 'url: is required the first time'],
    [
      { url, status: 'DISABLED' },
      'status: is changed by POST /callbacks/endpoint/enable and /disable, leave it out',
    ],
    [{}, 'body: needs one of mode, url, basic, timeoutSeconds, log, maxPerSecond, states'],
    [{ url: 'https://10.0.0.1/' }, 'url: must be a public address'],
    [{ url, maxPerSecond: 0 }, 'maxPerSecond: must be at least 1, or null for no limit'],
    [{ url, states: ['OPENED', 'OPENED'] }, 'states: must name each state once'],
    [
      { url, basic: { login: 'a', password: 'line\nbreak' } },
      'basic.password: must have no control characters',
    ],
  ])('to %j is refused with the reason', async (body, sentence) => {
    expect(await rig.ask('put', body, { stage: 'deployed' })).toMatchObject(invalid(sentence));
    expect(await rig.ask('get')).toMatchObject(notSet);
  });

  test('a replay has null in the place of the secret, and only of one that was shown', async () => {
    await rig.askUnder('k1', 'put', { url });
    expect((await rig.askUnder('k1', 'put', { url })).body).toMatchObject({ secret: null });
    await rig.askUnder('k2', 'put', { timeoutSeconds: 5 });
    expect((await rig.askUnder('k2', 'put', { timeoutSeconds: 5 })).body).not.toHaveProperty('secret');
  });

  test('from several callers at once makes each change: of partner, of operator, and of a worker', async () => {
    await rig.ask('put', { url, basic });
    const operator = endpointSettings(rig.table, rig.clock);
    const changes = await Promise.all([
      rig.ask('put', { basic: { login: 'wallet', password: 'new' } }),
      rig.ask('put', { url: 'https://bars.example/other' }),
      rig.ask('put', { timeoutSeconds: 7 }),
      rig.ask('put', { log: 'all' }),
      rig.ask('rotate'),
      operator.disable('bars', { reason: 'by an operator', by: 'operator' }),
    ]);
    expect(changes.filter((change) => change === 'done' || Object(change).status === 200)).toHaveLength(6);
    const endpoint = await rig.stored();
    expect(endpoint).toMatchObject({
      url: 'https://bars.example/other',
      basic: { login: 'wallet', secret: 'new' },
      timeoutMs: 7_000,
      log: 'all',
      status: 'disabled',
      disabledReason: 'by an operator',
    });
    expect(endpoint?.signingSecrets).toHaveLength(2);
    expect(await rig.notices()).toHaveLength(7);
  });

  test('by two at once the first time makes one endpoint with one secret, shown to one of them', async () => {
    const both = await Promise.all([rig.ask('put', { url }), rig.ask('put', { url, timeoutSeconds: 7 })]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const shown = both.flatMap(({ body }) => body.secret ?? []);
    const endpoint = await rig.stored();
    expect(endpoint?.signingSecrets.map(({ secret }) => secret)).toEqual(shown);
    expect(endpoint?.timeoutMs).toBe(7_000);
  });

  test.each(['put', 'rotate'] as const)(
    'is repeated under its Idempotency-Key after it died (%s): the secret that nobody saw goes',
    async (name) => {
      if (name === 'rotate') await rig.ask('put', { url });
      const body = name === 'put' ? { url } : undefined;
      const dies = failingCommand(rig.table.client, 'UpdateItemCommand');
      const { secret: unseen } = (await rig.askUnder('k1', name, body)).body;
      dies.remove();
      rig.clock.advance(60_000);
      const { secret } = (await rig.askUnder('k1', name, body)).body;
      const secrets = (await rig.stored())?.signingSecrets.map((one) => one.secret);
      expect(secrets).toHaveLength(name === 'put' ? 1 : 2);
      expect(secrets).toContain(secret);
      expect(secrets).not.toContain(unseen);
    },
  );
});

test('every change leaves a notice that names who asked for it, never a value', async () => {
  const changes = [
    ['put', { url, basic }],
    ...['rotate', 'retire', 'disable', 'enable'].map((name) => [name] as const),
    ['put', { url: `${url}/2`, timeoutSeconds: 5, basic: null, maxPerSecond: 60 }],
    ['put', { timeoutSeconds: 6, basic: null, maxPerSecond: null, states: ['OPENED'] }],
  ] as [Parameters<typeof rig.ask>[0], object?][];
  for (const [name, body] of changes) {
    await rig.ask(name, body);
    rig.clock.advance(1_000);
  }
  expect(await rig.notices()).toEqual(
    [
      'timeout, pace (no limit), states changed',
      'address, HTTP Basic, timeout, pace (60 a second) changed',
      'enabled',
      'disabled: by the partner',
      'older signing secret ended',
      'signing secret added',
      'address, HTTP Basic changed',
    ].map((what) => [what, 'bars-office']),
  );
});

test('rule 35: the endpoint shows until when its circuit is open, and what waits', async () => {
  await rig.endpointThatAnswers(500);
  for (let n = 0; n < 5; n++) await rig.change(`m${n}`);
  await rig.work();
  const circuit = { state: 'OPEN', reason: 'FAILURES', until: '2026-05-20T12:00:30.000Z' };
  expect((await rig.ask('get')).body).toMatchObject({ circuit, waiting: 5 });
});

test('rule 35: the endpoint shows since when the oldest callback has waited for its pace', async () => {
  await rig.saveEndpoint(url, { maxPerSecond: 1 });
  const post = async () => ok;
  await rig.changeTogether(Array.from({ length: 40 }, (_, n) => `m${n}`));
  await rig.work(rig.newWorker({ client: { post } }));
  const waits = { waiting: 0, paceWaitingSince: '2026-05-20T12:00:00.000Z' };
  expect((await rig.ask('get')).body).toMatchObject(waits);
  rig.clock.advance(60_000);
  expect((await rig.ask('get')).body).not.toHaveProperty('paceWaitingSince');
});

function askForTest() {
  return rig.ask('test', { state: 'OPENED' });
}

test('rule 33: a test makes one signed attempt and shows what was sent, with the password masked', async () => {
  const partner = await rig.endpointThatAnswers(204, { basic });
  const { request, ...result } = (await rig.ask('test', { state: 'DELIVERED' })).body;
  expect(result).toEqual({ delivered: true, httpStatus: 204, durationMs: expect.any(Number) });
  expect(request).toEqual({
    headers: {
      'content-type': 'application/json',
      'user-agent': expect.any(String),
      'webhook-id': expect.stringMatching(/-DELIVERED$/),
      'webhook-timestamp': '1779278400',
      'webhook-signature': expect.stringMatching(/^v1,/),
      authorization: 'Basic ***',
    },
    body: expect.stringMatching(/^\{"msisdn":99999999999,"messageId":"[0-9a-f-]{36}","state":"DELIVERED",/),
  });
  const headers = { ...request.headers, authorization: 'Basic d2FsbGV0OnBhc3M6d8O2cmQ=' };
  expect(partner.received).toMatchObject([{ body: request.body, headers }]);
});

test('rule 33: a test of a disabled or failing endpoint says why, repeats nothing and changes no circuit', async () => {
  await rig.endpointThatAnswers(500);
  await rig.ask('disable');
  const failed = { delivered: false, httpStatus: 500, error: 'status: the response was not 2xx' };
  for (let n = 0; n < 6; n++) expect((await askForTest()).body).toMatchObject(failed);
  expect(await rig.circuit()).toBeUndefined();
  expect(rig.records()).toEqual([]);
});

test('rule 33: a test is possible ten times a minute, also when all come at once', async () => {
  const partner = await rig.endpointThatAnswers(200);
  const all = await Promise.all(Array.from({ length: 12 }, askForTest));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(10);
  const refused = { ...refusal(429, 'TEST_LIMIT_EXCEEDED'), headers: { 'retry-after': '60' } };
  expect(all.find(({ status }) => status === 429)).toMatchObject(refused);
  expect(partner.received).toHaveLength(10);
  rig.clock.advance(60_000);
  expect(await askForTest()).toMatchObject({ status: 200 });
});
