import { expect, test } from 'vitest';
import { getSandboxReceiver } from '../../../functions/sandbox/get-sandbox-receiver.ts';
import { putSandboxReceiver } from '../../../functions/sandbox/put-sandbox-receiver.ts';
import { takeSandboxCallback } from '../../../functions/sandbox/take-sandbox-callback.ts';
import { callbackRequest } from '../../../shared/callbacks/callback.ts';
import { PostedEndpoint } from '../../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../../shared/callbacks/endpoint/endpoint-store.ts';
import { days } from '../../../shared/platform/runtime/clock.ts';
import { receiverStore } from '../../../shared/sandbox/receiver-store.ts';
import { fakeClock } from '../../support/clock.ts';
import { bakery, bars, call, type Request } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { requestDeps } from '../../support/request-deps.ts';
import { newTable } from '../../support/table.ts';
import { storeTwoPartners } from '../../support/two-partners.ts';

type Shown = {
  url: string;
  answer: object;
  taken: number;
  refused: number;
  callbacks: { body: string; answered: number; receivedAt: string; headers: Record<string, string> }[];
};

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const messageId = '5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11';

function endpointOf(partnerId: string, ...secrets: string[]): PostedEndpoint {
  const signingSecrets = secrets.map((text, createdAt) => ({ secret: text, createdAt }));
  return PostedEndpoint.parse({ partnerId, url: 'https://any.example', signingSecrets, status: 'enabled' });
}

/** Sets up the functions around one table in which bars has an endpoint. The clock shows the time of the signatures. */
async function receiverRig() {
  const table = await newTable();
  await storeTwoPartners(table);
  const clock = fakeClock(Date.now());
  const waited: number[] = [];
  const deps = {
    ...requestDeps(table, clock),
    receivers: receiverStore(table),
    waitSeconds: async (seconds: number) => void waited.push(seconds),
  };
  const endpoints = endpointStore(table);
  await endpoints.save(endpointOf('bars', secret));
  const handlers = {
    get: getSandboxReceiver(deps),
    put: putSandboxReceiver(deps),
    take: takeSandboxCallback(deps),
  };
  const headers = { host: 'api.example', 'x-forwarded-proto': 'https' };
  const get = async (partner = bars) =>
    (await call(handlers.get, { method: 'GET', partner, headers })).body as Shown;
  const tokenOf = async (partner = bars) =>
    new URL((await get(partner)).url).pathname.split('/').at(-1) ?? '';
  const put = (body: object) => call(handlers.put, { method: 'PUT', partner: bars, headers, body });
  const post = async (request: Request, token?: string) =>
    call(handlers.take, { path: { token: token ?? (await tokenOf()) }, ...request });
  const signed = (n = 0, endpoint = endpointOf('bars', secret)): Request => {
    const callback = { partnerId: 'bars', messageId, state: 'OPENED', msisdn: 79_001_234_567, changedAt: n };
    const { body, headers: of } = callbackRequest(endpoint, { ...callback, state: 'OPENED' }, Date.now());
    return { body, headers: of };
  };
  return { table, clock, endpoints, waited, get, put, post, signed, tokenOf };
}

const rig = inEachTest(receiverRig);

test('rule 39: a receiver is made at the first look, keeps its address, and stores a callback that verifies', async () => {
  const empty = await rig.get();
  expect(empty).toEqual({
    url: expect.stringMatching(/^https:\/\/api\.example\/sandbox\/callbacks\/bars\.[A-Za-z0-9_-]{43}$/),
    answer: { status: 200, delaySeconds: 0 },
    taken: 0,
    refused: 0,
    callbacks: [],
  });
  const request = rig.signed();
  expect(await rig.post(request)).toMatchObject({ status: 200, body: { verified: true } });
  const { url, taken, callbacks } = await rig.get();
  expect({ url, taken }).toEqual({ url: empty.url, taken: 1 });
  expect(callbacks).toEqual([
    {
      receivedAt: new Date(rig.clock.now()).toISOString(),
      answered: 200,
      delaySeconds: 0,
      body: request.body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'PartnerIntegrationService/0.1.0',
        'webhook-id': `${messageId}-OPENED`,
        'webhook-timestamp': request.headers?.['webhook-timestamp'],
        'webhook-signature': request.headers?.['webhook-signature'],
      },
    },
  ]);
});

test('a callback with the largest utm verifies', async () => {
  const utm = JSON.stringify({ utmSource: 'x'.repeat(4_030) });
  const callback = { partnerId: 'bars', messageId, state: 'CANCELLED', msisdn: 799_999_999_999_999 } as const;
  const sent = callbackRequest(endpointOf('bars', secret), { ...callback, changedAt: 0, utm }, Date.now());
  expect((await rig.post({ body: sent.body, headers: sent.headers })).status).toBe(200);
  expect((await rig.get()).callbacks).toMatchObject([{ body: sent.body }]);
});

test('what does not verify is counted and not stored', async () => {
  const good = rig.signed();
  const headers = good.headers ?? {};
  const bad: Request[] = [
    { body: '{}' },
    { ...good, body: `${good.body} ` },
    { ...good, headers: { ...headers, 'webhook-signature': 'v1,AAAA' } },
    { ...good, headers: { ...headers, 'webhook-timestamp': '1779278400' } },
    rig.signed(0, endpointOf('bars', 'whsec_b3RoZXJvdGhlcm90aGVyb3RoZXI=')),
    { body: 'x'.repeat(64_001), headers },
    { headers },
  ];
  const refusal = { status: 400, body: { status: 'SIGNATURE_INVALID' } };
  for (const request of bad) expect(await rig.post(request)).toMatchObject(refusal);
  expect(await rig.get()).toMatchObject({ taken: 0, refused: bad.length, callbacks: [] });
  // A partner without an endpoint has no secret with which the signature could be verified.
  expect(await rig.post(good, await rig.tokenOf(bakery))).toMatchObject(refusal);
});

test('an address that nobody has is not found, and leaves no row', async () => {
  const token = await rig.tokenOf();
  const rows = (await rig.table.rows()).length;
  const others = [
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    token.replace('bars.', 'bakery.'),
    'bars',
    `bars.${'A'.repeat(43)}`,
    'nobody.short',
  ];
  const unknown = { status: 404, body: { status: 'RECEIVER_NOT_FOUND' } };
  for (const other of others) expect(await rig.post(rig.signed(), other), other).toMatchObject(unknown);
  expect(await rig.table.rows()).toHaveLength(rows);
  rig.clock.advance(days(90) - 1);
  expect((await rig.post(rig.signed(), token)).status).toBe(200);
  rig.clock.advance(1);
  expect(await rig.post(rig.signed(), token)).toMatchObject(unknown);
});

test('a look keeps the receiver for 90 days more, and writes that at most once in 30 days', async () => {
  const keptUntil = async () => {
    await rig.get();
    return (await rig.table.rows()).find((row) => 'token' in row)?.['keptUntil'];
  };
  const first = rig.clock.now() + days(90);
  expect(await keptUntil()).toBe(first);
  rig.clock.advance(days(30) - 1);
  expect(await keptUntil()).toBe(first);
  rig.clock.advance(1);
  expect(await keptUntil()).toBe(first + days(30));
});

test('a receiver answers 503 as often as it was told to, 410 or late until it is told otherwise, and without a signature at once', async () => {
  expect((await rig.put({ status: 503, times: 2 })).body).toMatchObject({
    answer: { status: 503, delaySeconds: 0, times: 2 },
  });
  const all = await Promise.all([rig.post(rig.signed()), rig.post(rig.signed()), rig.post(rig.signed())]);
  expect(all.map(({ status }) => status).sort()).toEqual([200, 503, 503]);
  const { answer, callbacks } = await rig.get();
  expect(answer).toEqual({ status: 200, delaySeconds: 0 });
  expect(callbacks.map(({ answered }) => answered).sort()).toEqual([200, 503, 503]);
  await rig.put({ status: 503, times: 1 });
  for (const status of [503, 200]) expect(await rig.post(rig.signed())).toMatchObject({ status });
  await rig.put({ status: 410 });
  expect(await rig.post(rig.signed())).toMatchObject({ status: 410, body: { status: 'RECEIVER_GONE' } });
  await rig.put({ status: 200, delaySeconds: 20 });
  expect((await rig.post({ body: '{}' })).status).toBe(400);
  expect(rig.waited).toEqual([]);
  expect((await rig.post(rig.signed())).status).toBe(200);
  expect(rig.waited).toEqual([20]);
});

test('the newest 100 are kept, for 7 days, in 100 rows', async () => {
  const token = await rig.tokenOf();
  for (let n = 0; n < 105; n++) {
    rig.clock.advance(1_000);
    await rig.post(rig.signed(n * 1_000), token);
  }
  const { taken, callbacks } = await rig.get();
  expect(taken).toBe(105);
  const times = callbacks.map(({ body }) => Date.parse((JSON.parse(body) as { time: string }).time) / 1_000);
  expect(times).toEqual(Array.from({ length: 100 }, (_, n) => 104 - n));
  expect(await rig.table.rows('RECEIVED#bars')).toHaveLength(100);
  rig.clock.advance(days(7));
  expect((await rig.get()).callbacks).toEqual([]);
});
