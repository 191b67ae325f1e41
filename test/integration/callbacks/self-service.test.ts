import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { capacityMeter } from '../../../ops/data-lifecycle/capacity-meter.ts';
import { eraseRecipient } from '../../../ops/data-lifecycle/erase-recipient.ts';
import { type Endpoint, logByDefault } from '../../../shared/callbacks/endpoint/endpoint.ts';
import { endpointSettings } from '../../../shared/callbacks/endpoint/settings.ts';
import { systemIds } from '../../../shared/platform/runtime/ids.ts';
import { bulkIdFrom, bulkMessageId } from '../../../shared/push/message-id.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { bakery } from '../../support/http.ts';
import { collectLines } from '../../support/log-lines.ts';
import { messageIdAt } from './kept-rows.ts';
import { loopbackPartner, reply } from './loopback-partner.ts';
import { selfServiceRig } from './self-service-rig.ts';

let rig: Awaited<ReturnType<typeof selfServiceRig>>;
beforeEach(async () => {
  rig = await selfServiceRig();
});

async function partnerThatAnswers(status: number) {
  const partner = await loopbackPartner();
  partner.responses(reply(status));
  return partner;
}

const url = 'https://bars.example/callbacks';
const basic = { login: 'wallet', password: 'pass:word' };
const notSet = { status: 404, body: { status: 'ENDPOINT_NOT_SET' } };

describe('rule 33: setting the endpoint', () => {
  test('shows the signing secret the first time and never again, nor any password', async () => {
    const first = await rig.ask('put', { url, basic });
    expect(first.body).toEqual({
      mode: 'post',
      url,
      status: 'ENABLED',
      timeoutSeconds: 15,
      basicLogin: 'wallet',
      log: 'failures',
      secret: expect.stringMatching(/^whsec_/),
    });
    const { secret } = first.body as { secret: string };
    const second = await rig.ask('put', { timeoutSeconds: 5 });
    expect(second.body).toEqual({
      mode: 'post',
      url,
      status: 'ENABLED',
      timeoutSeconds: 5,
      basicLogin: 'wallet',
      log: 'failures',
    });
    const third = await rig.ask('put', { basic: null, log: 'all' });
    expect(third.body).toEqual({ mode: 'post', url, status: 'ENABLED', timeoutSeconds: 5, log: 'all' });
    expect((await rig.ask('put', { timeoutSeconds: 6 })).body).toMatchObject({ log: 'all' });
    const shown = JSON.stringify((await rig.ask('get')).body);
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain('pass:word');
    expect((await rig.endpoints.view('bars')).endpoint?.signingSecrets).toMatchObject([{ secret }]);
  });

  test('takes a pace and the states that the partner wants, and shows both until null ends them', async () => {
    await rig.ask('put', { url, maxPerSecond: 50, states: ['OPENED'] });
    const set = { maxPerSecond: 50, states: ['OPENED'] };
    expect((await rig.ask('put', { timeoutSeconds: 5 })).body).toMatchObject(set);
    expect((await rig.ask('get')).body).toMatchObject(set);
    await rig.ask('put', { maxPerSecond: 60 });
    for (const ended of [
      (await rig.ask('put', { maxPerSecond: null, states: null })).body,
      (await rig.ask('get')).body,
    ]) {
      expect(ended).not.toHaveProperty('maxPerSecond');
      expect(ended).not.toHaveProperty('states');
    }
    const changes = [
      'address changed',
      'timeout changed',
      'pace (60 a second) changed',
      'pace (no limit), states changed',
    ];
    expect((await rig.notices()).map(([what]) => what).sort()).toEqual(changes.sort());
  });

  test.each([
    [{ maxPerSecond: 0 }, 'maxPerSecond: must be at least 1, or null for no limit'],
    [{ maxPerSecond: 1_001 }, 'maxPerSecond: must be at most 1000'],
    [{ maxPerSecond: 2.5 }, 'maxPerSecond: must be a whole number'],
    [{ states: [] }, 'states: must have at least 1 element, or be null for all states'],
    [{ states: ['OPENED', 'OPENED'] }, 'states: must name each state once'],
  ])('refuses %o', async (wrong, sentence) => {
    const { status, body } = await rig.ask('put', { url, ...wrong });
    expect({ status, body }).toEqual({
      status: 400,
      body: { status: 'REQUEST_INVALID', errors: [sentence] },
    });
  });

  test.each([{}, { rate: 5 }])('%j changes nothing, and is refused with what can be set', async (nothing) => {
    await rig.ask('put', { url });
    expect(await rig.ask('put', nothing)).toMatchObject({
      status: 400,
      body: { errors: ['body: needs one of mode, url, basic, timeoutSeconds, log, maxPerSecond, states'] },
    });
  });

  test('shows since when the oldest callback has waited for its pace', async () => {
    await rig.saveEndpoint(url, { maxPerSecond: 1 });
    const worker = rig.newWorker({
      client: { post: async () => ({ ok: true, httpStatus: 200, durationMs: 1 }) },
    });
    await rig.changeTogether(Array.from({ length: 40 }, (_, n) => `m${n}`));
    await rig.work(worker);
    expect((await rig.ask('get')).body).toMatchObject({
      waiting: 0,
      paceWaitingSince: '2026-05-20T12:00:00.000Z',
    });
    rig.clock.advance(60_000);
    expect((await rig.ask('get')).body).not.toHaveProperty('paceWaitingSince');
  });

  test('takes an address as it was pasted, without the blanks around it', async () => {
    expect((await rig.ask('put', { url: ` ${url}\n` })).body).toMatchObject({ url });
  });

  test('a replay has null in the place of the secret, and only of one that was shown', async () => {
    await rig.ask('put', { url }, { key: 'k1' });
    expect((await rig.ask('put', { url }, { key: 'k1' })).body).toMatchObject({ secret: null });
    await rig.ask('put', { timeoutSeconds: 5 }, { key: 'k2' });
    expect((await rig.ask('put', { timeoutSeconds: 5 }, { key: 'k2' })).body).not.toHaveProperty('secret');
  });

  test('from several callers at once makes each change: of partner, of operator, and of a worker', async () => {
    await rig.ask('put', { url, basic });
    const operator = endpointSettings({ ...rig, ids: systemIds });
    const changes = await Promise.all([
      rig.ask('put', { basic: { login: 'wallet', password: 'new' } }),
      rig.ask('put', { url: 'https://bars.example/other' }),
      rig.ask('put', { timeoutSeconds: 7 }),
      rig.ask('put', { log: 'all' }),
      rig.ask('rotate'),
      operator.disable('bars', { reason: 'by an operator', by: 'operator' }),
    ]);
    expect(changes.map((change) => (typeof change === 'string' ? change : change.status))).toEqual([
      200,
      200,
      200,
      200,
      200,
      'done',
    ]);
    const { endpoint } = await rig.endpoints.view('bars', { consistent: true });
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
    const secrets = both.flatMap(({ body }) => (body as { secret?: string }).secret ?? []);
    const { endpoint } = await rig.endpoints.view('bars', { consistent: true });
    expect(endpoint?.signingSecrets.map(({ secret }) => secret)).toEqual(secrets);
    expect(endpoint?.timeoutMs).toBe(7_000);
  });

  test('for the first time is repeated under its Idempotency-Key after it died: a secret is shown', async () => {
    const dies = failingCommand(rig.table.client, 'UpdateItemCommand');
    const keep = await rig.ask('put', { url }, { key: 'k1' });
    dies.remove();
    expect(keep.status).toBe(200);
    rig.clock.advance(60_000);
    const again = (await rig.ask('put', { url }, { key: 'k1' })).body as { secret: string };
    expect(again.secret).toMatch(/^whsec_/);
    const { endpoint } = await rig.endpoints.view('bars', { consistent: true });
    expect(endpoint?.signingSecrets).toMatchObject([{ secret: again.secret }]);
  });

  test('a rotation is repeated under its Idempotency-Key after it died: the secret that nobody saw goes', async () => {
    await rig.ask('put', { url });
    const dies = failingCommand(rig.table.client, 'UpdateItemCommand');
    const { secret: unseen } = (await rig.ask('rotate', undefined, { key: 'k1' })).body as { secret: string };
    dies.remove();
    rig.clock.advance(60_000);
    const { secret } = (await rig.ask('rotate', undefined, { key: 'k1' })).body as { secret: string };
    const { endpoint } = await rig.endpoints.view('bars', { consistent: true });
    const secrets = endpoint?.signingSecrets.map((one) => one.secret);
    expect(secrets).toHaveLength(2);
    expect(secrets).toContain(secret);
    expect(secrets).not.toContain(unseen);
    expect(await rig.ask('rotate', undefined, { key: 'k2' })).toMatchObject({
      status: 409,
      body: { status: 'TWO_SECRETS_ALREADY' },
    });
  });

  test.each([
    [{ timeoutSeconds: 5 }, 'url: is required the first time'],
    [{ URL: url }, 'URL: unknown, did you mean url?'],
    [
      { url: 'http://bars.example/' },
      'url: must begin with https://, no callback is sent without encryption',
    ],
    [{ url: 'https://10.0.0.1/' }, 'url: must be a public address'],
    [
      { url: 'https://[::ffff:169.254.169.254]/' },
      'url: must have a name or an IPv4 address, IPv6 is not reached',
    ],
    [{ url: 'https://me:secret@bars.example/' }, 'url: must not carry credentials'],
    [{ url: 'https://bars.example:22/' }, 'url: must have port 443 or a port from 1024 on'],
    [{ url, log: 'none' }, 'log: must be one of failures, all'],
    [{ url, timeoutSeconds: 31 }, 'timeoutSeconds: must be at most 30'],
    [
      { url, basic: { login: 'a:b', password: 'p' } },
      'basic.login: must have 1 to 128 visible ASCII characters and no colon',
    ],
    [
      { url, basic: { login: 'a', password: 'line\nbreak' } },
      'basic.password: must have no control characters',
    ],
  ])('%j is refused with the reason', async (body, sentence) => {
    expect(await rig.ask('put', body, { handlers: rig.deployed })).toMatchObject({
      status: 400,
      body: { status: 'REQUEST_INVALID', errors: [sentence] },
    });
    expect(await rig.ask('get')).toMatchObject(notSet);
  });

  test('costs 4 write units, its notice among them, and a view without callbacks 11 read units', async () => {
    await rig.ask('put', { url });
    rig.table.units();
    await rig.ask('put', { timeoutSeconds: 5 });
    expect(rig.table.units()).toMatchObject({ read: 2, write: 4 });
    await rig.ask('get');
    expect(rig.table.units()).toMatchObject({ read: 11, write: 0 });
  });
});

test('every change leaves a notice that names who asked for it, never a value', async () => {
  await rig.ask('put', { url, basic });
  for (const name of ['rotate', 'retire', 'disable', 'enable'] as const) {
    rig.clock.advance(1_000);
    await rig.ask(name);
  }
  rig.clock.advance(1_000);
  await rig.ask('put', { url: `${url}/2`, timeoutSeconds: 5 });
  expect(await rig.notices()).toEqual([
    ['address, timeout changed', 'bars-office'],
    ['enabled', 'bars-office'],
    ['disabled: by the partner', 'bars-office'],
    ['older signing secret ended', 'bars-office'],
    ['signing secret added', 'bars-office'],
    ['address, HTTP Basic changed', 'bars-office'],
  ]);
});

test('rule 35: the newest 50 notices are shown', async () => {
  await rig.ask('put', { url });
  for (let n = 0; n < 51; n++) {
    rig.clock.advance(1_000);
    const data = { what: `notice ${n}` };
    await rig.events.add('bars', { kind: 'endpoint.changed', atMs: rig.clock.now(), data });
  }
  const shown = await rig.notices();
  expect(shown).toHaveLength(50);
  expect(shown[0]).toEqual(['notice 50']);
});

test('rule 35: an endpoint that answers 410 leaves a notice that nobody asked for', async () => {
  const partner = await partnerThatAnswers(410);
  await rig.ask('put', { url: partner.url });
  rig.clock.advance(1);
  await rig.change('m1');
  await rig.work();
  expect(await rig.ask('get')).toMatchObject({
    body: { status: 'DISABLED', reason: 'answered 410', waiting: 0, skipped: 1 },
  });
  expect((await rig.notices())[0]).toEqual(['disabled: answered 410']);
});

test('rule 35: a circuit that is open for more than 15 minutes leaves one notice', async () => {
  const partner = await partnerThatAnswers(500);
  await rig.ask('put', { url: partner.url });
  for (let n = 0; n < 5; n++) await rig.change(`m${n}`);
  await rig.work();
  expect((await rig.ask('get')).body).toMatchObject({
    circuit: { state: 'OPEN', until: '2026-05-20T12:00:30.000Z' },
    waiting: 5,
  });
  for (let probe = 0; probe < 4; probe++) {
    rig.clock.advance(20 * 60_000);
    await rig.sweep();
    await rig.work();
  }
  expect(await rig.notices()).toEqual([
    ['nothing was delivered for over 15 minutes'],
    ['address changed', 'bars-office'],
  ]);
});

describe('rule 33: a secret', () => {
  test('rotates: both sign until the older is retired; a third is refused, and so is retiring the only one', async () => {
    await rig.ask('put', { url });
    expect(await rig.ask('retire')).toMatchObject({ status: 409, body: { status: 'ONE_SECRET_ONLY' } });
    rig.clock.advance(1_000);
    const rotated = (await rig.ask('rotate')).body as { secret: string };
    expect(await rig.ask('rotate')).toMatchObject({ status: 409, body: { status: 'TWO_SECRETS_ALREADY' } });
    expect((await rig.ask('get')).body).toMatchObject({ secrets: [{}, {}] });
    expect((await rig.ask('retire')).body).toEqual({ secrets: 1 });
    expect((await rig.endpoints.view('bars')).endpoint?.signingSecrets).toMatchObject([rotated]);
  });
});

test('what is not there is 404, and another partner has it not', async () => {
  await rig.ask('put', { url });
  for (const name of ['get', 'enable', 'disable', 'rotate', 'retire'] as const) {
    expect(await rig.ask(name, undefined, { partner: bakery })).toMatchObject(notSet);
  }
  expect(await rig.ask('test', { state: 'OPENED' }, { partner: bakery })).toMatchObject(notSet);
});

describe('rule 33: a test', () => {
  test('makes one signed attempt and shows what was sent, with the password masked', async () => {
    const partner = await partnerThatAnswers(204);
    await rig.ask('put', { url: partner.url, basic });
    const { body } = await rig.ask('test', { state: 'DELIVERED' });
    expect(body).toEqual({
      delivered: true,
      httpStatus: 204,
      durationMs: expect.any(Number),
      request: {
        headers: {
          'content-type': 'application/json',
          'user-agent': expect.any(String),
          'webhook-id': expect.stringMatching(/-DELIVERED$/),
          'webhook-timestamp': '1779278400',
          'webhook-signature': expect.stringMatching(/^v1,/),
          authorization: 'Basic ***',
        },
        body: expect.stringMatching(
          /^\{"msisdn":99999999999,"messageId":"[0-9a-f-]{36}","state":"DELIVERED",/,
        ),
      },
    });
    const { request } = body as { request: { headers: Record<string, string>; body: string } };
    expect(partner.received).toHaveLength(1);
    expect(partner.received[0]).toMatchObject({
      body: request.body,
      headers: { ...request.headers, authorization: 'Basic d2FsbGV0OnBhc3M6d29yZA==' },
    });
  });

  test('of a disabled or failing endpoint says why, repeats nothing and changes no circuit', async () => {
    const partner = await partnerThatAnswers(500);
    await rig.ask('put', { url: partner.url });
    await rig.ask('disable');
    for (let n = 0; n < 6; n++) {
      expect((await rig.ask('test', { state: 'OPENED' })).body).toMatchObject({
        delivered: false,
        httpStatus: 500,
        error: 'status: the response was not 2xx',
      });
    }
    expect(await rig.circuit()).toBeUndefined();
    expect(await rig.records()).toEqual([]);
  });

  test('of an address that may not be called any more says why, and opens no socket', async () => {
    const partner = await partnerThatAnswers(200);
    await rig.saveEndpoint(partner.url);
    expect((await rig.ask('test', { state: 'OPENED' }, { handlers: rig.deployed })).body).toMatchObject({
      delivered: false,
      error: 'refused: the URL must begin with https://, no callback is sent without encryption',
    });
    await rig.saveEndpoint('https://localhost:8443/');
    expect((await rig.ask('test', { state: 'OPENED' }, { handlers: rig.deployed })).body).toMatchObject({
      error: 'refused: the name of the address must lead to public addresses only',
    });
    await rig.saveEndpoint('https://six.example/');
    expect((await rig.ask('test', { state: 'OPENED' }, { handlers: rig.deployed })).body).toMatchObject({
      error: 'no-ipv4: the name of the address has no IPv4 address, and callbacks are sent over IPv4',
    });
    expect(partner.received).toEqual([]);
  });

  test('is possible ten times a minute, also when all come at once', async () => {
    const partner = await partnerThatAnswers(200);
    await rig.ask('put', { url: partner.url });
    const all = await Promise.all(Array.from({ length: 12 }, () => rig.ask('test', { state: 'OPENED' })));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(all.find(({ status }) => status === 429)).toMatchObject({
      headers: { 'retry-after': '60' },
      body: { status: 'TEST_LIMIT_EXCEEDED' },
    });
    expect(partner.received).toHaveLength(10);
    rig.clock.advance(60_000);
    expect(await rig.ask('test', { state: 'OPENED' })).toMatchObject({ status: 200 });
  });
});

describe('rule 33: callbacks that were not delivered at once', () => {
  type Listed = { callbacks: { messageId: string; status: string }[]; cursor?: string };
  const list = async (query: Record<string, string> = {}) =>
    (await rig.ask('list', undefined, { query })).body as Listed;
  const skip = async (count: number, idOf = (n: number) => `m${n}`) => {
    await rig.ask('put', { url });
    await rig.ask('disable');
    for (let n = 0; n < count; n++) {
      rig.clock.advance(1_000);
      await rig.change(idOf(n));
    }
    while ((await rig.work(rig.newWorker())).taken > 0);
  };

  test('are listed newest first, page by page, with their attempts', async () => {
    await skip(5);
    const first = await list({ limit: '2' });
    expect(first.callbacks.map(({ messageId }) => messageId)).toEqual(['m4', 'm3']);
    const second = await list({ limit: '3', cursor: first.cursor ?? '' });
    expect(second.callbacks.map(({ messageId }) => messageId)).toEqual(['m2', 'm1', 'm0']);
    expect(second.cursor).toBeUndefined();
    expect(second.callbacks[0]).toEqual({
      messageId: 'm2',
      msisdn: 79001234567,
      state: 'DELIVERED',
      status: 'skipped',
      attempts: [],
      reason: 'disabled',
    });
    expect(await list({ status: 'failed' })).toEqual({ callbacks: [] });
    expect((await list({ messageId: 'm1' })).callbacks).toMatchObject([{ messageId: 'm1' }]);
    expect((await rig.ask('list', undefined, { query: { cursor: 'x' } })).status).toBe(400);
    expect((await rig.ask('list', undefined, { partner: bakery })).body).toEqual({ callbacks: [] });
  });

  test('cost 20 read units to list, 4 of one status, and half a unit each', async () => {
    await skip(10);
    rig.table.units();
    await list({ limit: '4' });
    expect(rig.table.units()).toMatchObject({ read: 22, write: 0 });
    rig.clock.advance(20_000);
    await list({ limit: '4', status: 'skipped' });
    expect(rig.table.units()).toMatchObject({ read: 6, write: 0 });
  });

  test('show when the next attempt is due', async () => {
    const partner = await partnerThatAnswers(500);
    await rig.ask('put', { url: partner.url });
    await rig.change('m1');
    await rig.work();
    expect((await list()).callbacks).toMatchObject([
      {
        status: 'waiting',
        attempts: [{ time: '2026-05-20T12:00:00.000Z', httpStatus: 500, error: 'status' }],
        nextAttemptAt: '2026-05-20T12:00:05.000Z',
      },
    ]);
  });

  test('show what the newest three attempts were told, to the partner alone: no log line has it', async () => {
    const partner = await partnerThatAnswers(500);
    await rig.ask('put', { url: partner.url });
    const lines = collectLines();
    await rig.change('m1');
    for (let tries = 1; tries <= 4; tries++) {
      partner.responses(reply(500, {}, `secret sauce ${tries}`));
      await (tries === 1 ? rig.work() : rig.retry('m1'));
      await rig.records();
    }
    const [listed] = (await list()).callbacks as unknown as { attempts: { response?: string }[] }[];
    expect(listed?.attempts.map(({ response }) => response)).toEqual([
      undefined,
      'secret sauce 2',
      'secret sauce 3',
      'secret sauce 4',
    ]);
    expect((await rig.ask('test', { state: 'OPENED' })).body).toMatchObject({
      error: 'status: the response was not 2xx',
      response: 'secret sauce 4',
    });
    expect(JSON.stringify(lines)).not.toContain('secret sauce');
    expect(lines.length).toBeGreaterThan(4);
  });

  test('are replayed once the endpoint is enabled, once each, and never while they are under way', async () => {
    await skip(3, messageIdAt);
    const [m0, m1, m2, unknown] = [0, 1, 2, 3].map(messageIdAt);
    expect(await rig.ask('replay', { status: 'skipped' })).toMatchObject({
      status: 409,
      body: { status: 'ENDPOINT_DISABLED' },
    });
    const partner = await partnerThatAnswers(200);
    await rig.ask('put', { url: partner.url });
    await rig.ask('enable');
    const since = new Date(rig.clock.now() - 1_000).toISOString();
    expect((await rig.ask('replay', { status: 'skipped', since })).body).toEqual({
      replayed: 2,
      more: false,
    });
    expect((await rig.ask('replay', { status: 'skipped' }, { key: 'k' })).body).toEqual({
      replayed: 1,
      more: false,
    });
    expect((await rig.ask('replay', { status: 'skipped' }, { key: 'k' })).body).toEqual({
      replayed: 1,
      more: false,
    });
    expect((await rig.ask('replay', { messageIds: [m0, m1, 'nobody', unknown] })).body).toEqual({
      replayed: 0,
      more: false,
      notFound: ['nobody', unknown],
    });
    const [waiting] = (await list({ status: 'waiting' })).callbacks;
    expect(waiting).toMatchObject({ messageId: m2 });
    expect(waiting).not.toHaveProperty('nextAttemptAt');
    rig.clock.advance(10_000);
    await rig.sweep();
    await rig.work(rig.newWorker());
    expect(partner.states().sort()).toEqual([`${m0} DELIVERED`, `${m1} DELIVERED`, `${m2} DELIVERED`]);
    expect((await list({ status: 'delivered' })).callbacks).toHaveLength(3);
    expect((await rig.ask('replay', { messageIds: [m0] })).body).toEqual({ replayed: 1, more: false });
  });

  test('are replayed in part when there are many, and the next replay goes on from there', async () => {
    await skip(5);
    const some = { statuses: ['skipped'] as const };
    const untilMs = rig.clock.now() + 1_000;
    const first = await rig.replay.some('bars', some, { most: 3, untilMs });
    expect(first).toMatchObject({ replayed: 3, stoppedAt: expect.any(Object) });
    const second = await rig.replay.some('bars', some, { most: 3, untilMs, from: first.stoppedAt });
    expect(second).toEqual({ replayed: 2 });
  });

  test.each([
    [{}, 'body: needs either messageIds or a status'],
    [{ status: 'waiting' }, 'status: must be one of failed, skipped'],
    [{ messageIds: [] }, 'messageIds: must have at least 1 element'],
  ])('%j replays nothing', async (body, sentence) => {
    await rig.ask('put', { url });
    expect(await rig.ask('replay', body)).toMatchObject({ status: 400, body: { errors: [sentence] } });
  });
});

describe('rule 33: callbacks that were delivered at once', () => {
  type Listed = { messageId: string; status: string; state: string };
  const list = async (query: Record<string, string> = {}) => {
    const { body } = await rig.ask('list', undefined, { query });
    return body as { callbacks: Listed[]; cursor?: string; incomplete?: true };
  };
  const bulkId = bulkIdFrom('5d3b7a0e-0000-4000-8000-000000000001');
  const idOf = (n: number) => bulkMessageId(bulkId, n);

  /** Delivers `count` neighbours of a bulk send, and their callbacks in one message. */
  const deliver = async (partner: { url: string }, count: number, log: 'failures' | 'all') => {
    await rig.ask('put', { url: partner.url, log });
    const recipients = Array.from({ length: count }, (_, n) => ({
      msisdn: 79_000_000_000 + n,
      registered: true,
    }));
    const content = { pushType: 'SERVICE', payload: { title: 'News', message: 'We moved' } } as const;
    const send = { partnerId: 'bars', acceptedAt: rig.clock.now(), requestId: 'r', bulkId, recipients };
    await rig.messages.saveBulk({ ...send, contents: [content], each: false });
    const ids = recipients.map((_, n) => idOf(n));
    const found = await rig.messages.findMany(ids, rig.clock.now());
    const reports = [...found.values()].map((message) => ({
      message,
      state: 'DELIVERED' as const,
      atMs: rig.clock.now(),
    }));
    await rig.states.record(reports);
    await rig.changeTogether(ids);
  };

  test('are listed with their attempt for 3 days, beside the others, when the log is for all', async () => {
    const partner = await partnerThatAnswers(200);
    await deliver(partner, 3, 'all');
    await rig.work();
    rig.clock.advance(1_000);
    await rig.ask('disable');
    await rig.change('m1');
    await rig.work(rig.newWorker());
    const first = await list({ limit: '2' });
    expect(first.callbacks).toMatchObject([
      { messageId: 'm1', status: 'skipped' },
      { messageId: idOf(2), status: 'delivered' },
    ]);
    expect(await list({ cursor: first.cursor ?? '' })).toEqual({
      callbacks: [
        {
          messageId: idOf(1),
          msisdn: 79000000001,
          state: 'DELIVERED',
          status: 'delivered',
          attempts: [{ time: '2026-05-20T12:00:00.000Z', httpStatus: 200, durationMs: expect.any(Number) }],
        },
        expect.objectContaining({ messageId: idOf(0) }),
      ],
    });
    expect((await list({ status: 'delivered' })).callbacks).toHaveLength(3);
    expect((await list({ status: 'failed' })).callbacks).toEqual([]);
    expect((await list({ messageId: idOf(1) })).callbacks).toMatchObject([{ msisdn: 79000000001 }]);
    expect((await list({ messageId: idOf(1), status: 'failed' })).callbacks).toEqual([]);
    expect((await rig.ask('list', undefined, { partner: bakery })).body).toEqual({ callbacks: [] });
    rig.clock.advance(3 * 86_400_000);
    expect((await list({ status: 'delivered' })).callbacks).toEqual([]);
  });

  test('of an erased number are not shown: the log names no number', async () => {
    const partner = await partnerThatAnswers(200);
    await deliver(partner, 3, 'all');
    await rig.work();
    const rows = await rig.table.rows();
    const log = rows.filter(({ pk }) => String(pk).startsWith('DELIVERED#'));
    expect(gunzipSync(log[0]?.['packed'] as Uint8Array).toString()).not.toContain('7900000000');
    const meter = capacityMeter(rig.table, 1_000);
    await eraseRecipient(rig.table, meter, { msisdn: 79_000_000_001, dryRun: false });
    expect((await list()).callbacks.map(({ messageId }) => messageId)).toEqual([idOf(2), idOf(0)]);
  });

  test('are read page by page across groups of one time, each once', async () => {
    const partner = await partnerThatAnswers(200);
    await deliver(partner, 100, 'all');
    await rig.records();
    for (let n = 0; n < 100; n += 10) {
      await rig.changeTogether(Array.from({ length: 10 }, (_, at) => idOf(n + at)));
    }
    while ((await rig.work()).taken > 0);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: '7', ...(cursor ? { cursor } : {}) });
      seen.push(...page.callbacks.map(({ messageId }) => messageId));
      cursor = page.cursor;
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: 100 }, (_, n) => idOf(99 - n)));
  });

  test('rule 33: of forty that one message delivered, all are listed', async () => {
    const partner = await partnerThatAnswers(200);
    await deliver(partner, 40, 'all');
    await rig.work();
    const first = await list();
    const rest = await list({ cursor: first.cursor ?? '' });
    const ids = [...first.callbacks, ...rest.callbacks].map(({ messageId }) => messageId);
    expect(ids).toEqual(Array.from({ length: 40 }, (_, n) => idOf(39 - n)));
  });

  test('cost one write unit for forty of a message, and none when the log is for failures', async () => {
    const partner = await partnerThatAnswers(200);
    await deliver(partner, 40, 'all');
    const some = await rig.records();
    rig.table.units();
    await rig.newWorker()({ Records: some });
    expect(rig.table.units()).toEqual({ read: 0.5, write: 1, calls: 2 });
    await rig.ask('put', { log: 'failures' });
    rig.table.units();
    await rig.newWorker()({ Records: some });
    expect(rig.table.units()).toEqual({ read: 0.5, write: 0, calls: 1 });
    expect(partner.received).toHaveLength(80);
    rig.table.units();
    await list({ messageId: idOf(1) });
    expect(rig.table.units()).toMatchObject({ read: 3.5 });
  });

  test('are logged where the stage has it so, unless the endpoint says otherwise', async () => {
    const logs = async (log: Partial<Endpoint>) => {
      const partner = await partnerThatAnswers(200);
      await rig.saveEndpoint(partner.url, log);
      await rig.change('m1');
      rig.table.units();
      await rig.work(rig.newWorker({ logByDefault: logByDefault('simulated') }));
      return rig.table.units().write;
    };
    expect(await logs({})).toBe(1);
    expect(await logs({ log: 'failures' })).toBe(0);
    expect(logByDefault('real')).toBe('failures');
  });

  test('are not sent again when the log cannot be written', async () => {
    const partner = await partnerThatAnswers(200);
    await deliver(partner, 2, 'all');
    const add = () => Promise.reject(new Error('no answer'));
    const lines = collectLines();
    const { failed } = await rig.work(rig.newWorker({ delivered: { ...rig.delivered, add } }));
    expect(failed).toBe(0);
    expect(lines).toMatchObject([{ CallbacksDelivered: 2, notLogged: 'Error' }]);
    expect(await rig.records()).toEqual([]);
  });
});
