import { beforeEach, describe, expect, test } from 'vitest';
import { disableEndpoint } from '../../../functions/callbacks/disable-endpoint.ts';
import { enableEndpoint } from '../../../functions/callbacks/enable-endpoint.ts';
import { getEndpoint } from '../../../functions/callbacks/get-endpoint.ts';
import { listCallbacks } from '../../../functions/callbacks/list-callbacks.ts';
import { putEndpoint } from '../../../functions/callbacks/put-endpoint.ts';
import { replayCallbacks } from '../../../functions/callbacks/replay-callbacks.ts';
import { retireEndpointSecret } from '../../../functions/callbacks/retire-endpoint-secret.ts';
import { rotateEndpointSecret } from '../../../functions/callbacks/rotate-endpoint-secret.ts';
import { testCallback } from '../../../functions/callbacks/test-callback.ts';
import { callbackList } from '../../../shared/callbacks/callback-list.ts';
import { callbackTests } from '../../../shared/callbacks/callback-tests.ts';
import { endpointSettings } from '../../../shared/callbacks/endpoint-settings.ts';
import { guardedClient } from '../../../shared/callbacks/guarded-client.ts';
import { addressPolicy } from '../../../shared/callbacks/public-address.ts';
import { setEndpoint } from '../../../shared/callbacks/set-endpoint.ts';
import { idempotencyStore } from '../../../shared/http/idempotency-store.ts';
import { systemIds } from '../../../shared/runtime/ids.ts';
import { bakery, bars, call } from '../../support/http.ts';
import { callbacksRig } from './callbacks-rig.ts';
import { loopbackPartner, reply } from './loopback-partner.ts';

async function selfServiceRig() {
  const rig = await callbacksRig();
  const policy = (name: string) => {
    const addresses = addressPolicy(name);
    const deps = { clock: rig.clock, ids: systemIds, idempotency: idempotencyStore(rig.table), addresses };
    const settings = endpointSettings({ ...rig, ...deps });
    return {
      get: getEndpoint({ ...rig, ...deps }),
      put: putEndpoint({ ...deps, set: setEndpoint({ ...rig, ...deps }) }),
      list: listCallbacks({ ...rig, ...deps, list: callbackList(rig.table) }),
      replay: replayCallbacks({ ...rig, ...deps }),
      enable: enableEndpoint({ ...deps, settings }),
      disable: disableEndpoint({ ...deps, settings }),
      rotate: rotateEndpointSecret({ ...deps, settings }),
      retire: retireEndpointSecret({ ...deps, settings }),
      test: testCallback({
        ...rig,
        ...deps,
        tests: callbackTests(rig.table),
        client: guardedClient(addresses),
      }),
    };
  };
  const local = policy('loopback-too');
  const deployed = policy('public');
  const methods: Record<string, string> = { get: 'GET', list: 'GET', put: 'PUT' };
  const ask = (
    name: keyof typeof local,
    body?: unknown,
    more: {
      handlers?: typeof local;
      partner?: typeof bars;
      key?: string;
      query?: Record<string, string>;
    } = {},
  ) =>
    call((more.handlers ?? local)[name], {
      partner: { ...(more.partner ?? bars), login: 'bars-office' },
      method: methods[name] ?? 'POST',
      ...(body === undefined ? {} : { body }),
      ...(more.query ? { query: more.query } : {}),
      ...(more.key ? { headers: { 'idempotency-key': more.key } } : {}),
    });
  const notices = async () =>
    ((await ask('get')).body as { notices: { what: string; by?: string }[] }).notices.map(({ what, by }) =>
      by === undefined ? [what] : [what, by],
    );
  return { ...rig, ask, deployed, notices };
}

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

describe('setting the endpoint', () => {
  test('shows the signing secret the first time and never again, nor any password', async () => {
    const first = await rig.ask('put', { url, basic });
    expect(first.body).toEqual({
      url,
      status: 'ENABLED',
      timeoutSeconds: 15,
      basicLogin: 'wallet',
      secret: expect.stringMatching(/^whsec_/),
    });
    const { secret } = first.body as { secret: string };
    const second = await rig.ask('put', { timeoutSeconds: 5 });
    expect(second.body).toEqual({ url, status: 'ENABLED', timeoutSeconds: 5, basicLogin: 'wallet' });
    const third = await rig.ask('put', { basic: null });
    expect(third.body).toEqual({ url, status: 'ENABLED', timeoutSeconds: 5 });
    const shown = JSON.stringify((await rig.ask('get')).body);
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain('pass:word');
    expect((await rig.endpoints.view('bars')).endpoint?.signingSecrets).toMatchObject([{ secret }]);
  });

  test('a replay has null in the place of the secret, and only of one that was shown', async () => {
    await rig.ask('put', { url }, { key: 'k1' });
    expect((await rig.ask('put', { url }, { key: 'k1' })).body).toMatchObject({ secret: null });
    await rig.ask('put', { timeoutSeconds: 5 }, { key: 'k2' });
    expect((await rig.ask('put', { timeoutSeconds: 5 }, { key: 'k2' })).body).not.toHaveProperty('secret');
  });

  test.each([
    [{}, 'url: required the first time'],
    [{ url: 'http://bars.example/' }, 'url: must be https'],
    [{ url: 'https://10.0.0.1/' }, 'url: must be a public address'],
    [{ url: 'https://[::ffff:169.254.169.254]/' }, 'url: must be a public address'],
    [{ url: 'https://me:secret@bars.example/' }, 'url: must not carry credentials'],
    [{ url: 'https://bars.example:22/' }, 'url: must have port 443 or a port from 1024 on'],
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

  test('costs 4 write units, its notice among them, and a view without callbacks 5.5 read units', async () => {
    await rig.ask('put', { url });
    rig.table.units();
    await rig.ask('put', { timeoutSeconds: 5 });
    expect(rig.table.units()).toMatchObject({ read: 1, write: 4 });
    await rig.ask('get');
    expect(rig.table.units()).toMatchObject({ read: 6, write: 0 });
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

test('the newest 50 notices are shown', async () => {
  await rig.ask('put', { url });
  for (let n = 0; n < 51; n++) {
    rig.clock.advance(1_000);
    await rig.endpoints.notify('bars', { at: rig.clock.now(), what: `notice ${n}` });
  }
  const shown = await rig.notices();
  expect(shown).toHaveLength(50);
  expect(shown[0]).toEqual(['notice 50']);
});

test('an endpoint that answers 410 leaves a notice that nobody asked for', async () => {
  const partner = await partnerThatAnswers(410);
  await rig.ask('put', { url: partner.url });
  await rig.change('m1');
  await rig.work();
  expect(await rig.ask('get')).toMatchObject({
    body: { status: 'DISABLED', reason: 'answered 410', waiting: 0, skipped: 1 },
  });
  expect((await rig.notices())[0]).toEqual(['disabled: answered 410']);
  await partner.close();
});

test('a circuit that is open for more than 15 minutes leaves one notice', async () => {
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
    await rig.resume();
    await rig.work();
  }
  expect(await rig.notices()).toEqual([
    ['no callback was delivered for over 15 minutes'],
    ['address changed', 'bars-office'],
  ]);
  await partner.close();
});

describe('a secret', () => {
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

describe('a test', () => {
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
    await partner.close();
  });

  test('of a disabled or failing endpoint says why, repeats nothing and changes no circuit', async () => {
    const partner = await partnerThatAnswers(500);
    await rig.ask('put', { url: partner.url });
    await rig.ask('disable');
    for (let n = 0; n < 6; n++) {
      expect((await rig.ask('test', { state: 'OPENED' })).body).toMatchObject({
        delivered: false,
        httpStatus: 500,
        error: 'status: the answer was not 2xx',
      });
    }
    expect(await rig.circuit()).toBeUndefined();
    expect(await rig.records()).toEqual([]);
    await partner.close();
  });

  test('of an address that may not be called any more says why, and opens no socket', async () => {
    const partner = await partnerThatAnswers(200);
    await rig.saveEndpoint(partner.url);
    expect((await rig.ask('test', { state: 'OPENED' }, { handlers: rig.deployed })).body).toMatchObject({
      delivered: false,
      error: 'refused: the URL must be https',
    });
    await rig.saveEndpoint('https://localhost:8443/');
    expect((await rig.ask('test', { state: 'OPENED' }, { handlers: rig.deployed })).body).toMatchObject({
      error: 'refused: the name of the address must lead to public addresses only',
    });
    expect(partner.received).toEqual([]);
    await partner.close();
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
    await partner.close();
  });
});

describe('callbacks that were not delivered at once', () => {
  type Listed = { callbacks: { messageId: string; status: string }[]; cursor?: string };
  const list = async (query: Record<string, string> = {}) =>
    (await rig.ask('list', undefined, { query })).body as Listed;
  const skip = async (count: number) => {
    await rig.ask('put', { url });
    await rig.ask('disable');
    for (let n = 0; n < count; n++) {
      rig.clock.advance(1_000);
      await rig.change(`m${n}`);
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

  test('cost 4 read units to list, and a page of callbacks half a unit each', async () => {
    await skip(10);
    rig.table.units();
    await list({ limit: '4' });
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
    await partner.close();
  });

  test('are replayed once the endpoint is enabled, once each, and never while they are under way', async () => {
    await skip(3);
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
    expect((await rig.ask('replay', { messageIds: ['m0', 'm1', 'nobody'] })).body).toEqual({
      replayed: 0,
      more: false,
    });
    await rig.resume();
    await rig.work(rig.newWorker());
    expect(partner.states().sort()).toEqual(['m0 DELIVERED', 'm1 DELIVERED', 'm2 DELIVERED']);
    expect((await list({ status: 'delivered' })).callbacks).toHaveLength(3);
    expect((await rig.ask('replay', { messageIds: ['m0'] })).body).toEqual({ replayed: 1, more: false });
    await partner.close();
  });

  test('are replayed in part when there are many, and the answer says so', async () => {
    await skip(5);
    const some = { statuses: ['skipped'] as const };
    const nowMs = rig.clock.now();
    expect(await rig.archive.replaySome('bars', some, { nowMs, most: 3 })).toEqual({
      replayed: 3,
      more: true,
    });
    expect(await rig.archive.replaySome('bars', some, { nowMs, most: 2 })).toEqual({
      replayed: 2,
      more: false,
    });
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
