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
async function rig() {
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

test('rule 39: a receiver is made at the first look, keeps its address, and stores a callback that verifies', async () => {
  const { get, post, signed, clock } = await rig();
  const empty = await get();
  expect(empty).toEqual({
    url: expect.stringMatching(/^https:\/\/api\.example\/sandbox\/callbacks\/bars\.[A-Za-z0-9_-]{43}$/),
    answer: { status: 200, delaySeconds: 0 },
    taken: 0,
    refused: 0,
    callbacks: [],
  });
  const request = signed();
  expect(await post(request)).toMatchObject({ status: 200, body: { verified: true } });
  const { url, taken, callbacks } = await get();
  expect({ url, taken }).toEqual({ url: empty.url, taken: 1 });
  expect(callbacks).toEqual([
    {
      receivedAt: new Date(clock.now()).toISOString(),
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
  const { post, get } = await rig();
  const utm = JSON.stringify({ utmSource: 'x'.repeat(4_030) });
  const callback = { partnerId: 'bars', messageId, state: 'CANCELLED', msisdn: 799_999_999_999_999 } as const;
  const sent = callbackRequest(endpointOf('bars', secret), { ...callback, changedAt: 0, utm }, Date.now());
  expect((await post({ body: sent.body, headers: sent.headers })).status).toBe(200);
  expect((await get()).callbacks).toMatchObject([{ body: sent.body }]);
});

test('what does not verify is counted and not stored', async () => {
  const { get, post, signed, tokenOf } = await rig();
  const good = signed();
  const headers = good.headers ?? {};
  const bad: Request[] = [
    { body: '{}' },
    { ...good, body: `${good.body} ` },
    { ...good, headers: { ...headers, 'webhook-signature': 'v1,AAAA' } },
    { ...good, headers: { ...headers, 'webhook-timestamp': '1779278400' } },
    signed(0, endpointOf('bars', 'whsec_b3RoZXJvdGhlcm90aGVyb3RoZXI=')),
    { body: 'x'.repeat(64_001), headers },
    { headers },
  ];
  const refusal = { status: 400, body: { status: 'SIGNATURE_INVALID' } };
  for (const request of bad) expect(await post(request)).toMatchObject(refusal);
  expect(await get()).toMatchObject({ taken: 0, refused: bad.length, callbacks: [] });
  // A partner without an endpoint has no secret with which the signature could be verified.
  expect(await post(good, await tokenOf(bakery))).toMatchObject(refusal);
});

test('an address that nobody has is not found, and leaves no row', async () => {
  const { post, signed, table, tokenOf, clock } = await rig();
  const token = await tokenOf();
  const rows = (await table.rows()).length;
  const others = [
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    token.replace('bars.', 'bakery.'),
    'bars',
    `bars.${'A'.repeat(43)}`,
    'nobody.short',
  ];
  const unknown = { status: 404, body: { status: 'RECEIVER_NOT_FOUND' } };
  for (const other of others) expect(await post(signed(), other), other).toMatchObject(unknown);
  expect(await table.rows()).toHaveLength(rows);
  clock.advance(days(90) - 1);
  expect((await post(signed(), token)).status).toBe(200);
  clock.advance(1);
  expect(await post(signed(), token)).toMatchObject(unknown);
});

test('a receiver answers 503 as often as it was told to, 410 or late until it is told otherwise, and without a signature at once', async () => {
  const { put, post, signed, get, waited } = await rig();
  expect((await put({ status: 503, times: 2 })).body).toMatchObject({
    answer: { status: 503, delaySeconds: 0, times: 2 },
  });
  const all = await Promise.all([post(signed()), post(signed()), post(signed())]);
  expect(all.map(({ status }) => status).sort()).toEqual([200, 503, 503]);
  const { answer, callbacks } = await get();
  expect(answer).toEqual({ status: 200, delaySeconds: 0 });
  expect(callbacks.map(({ answered }) => answered).sort()).toEqual([200, 503, 503]);
  await put({ status: 410 });
  expect(await post(signed())).toMatchObject({ status: 410, body: { status: 'RECEIVER_GONE' } });
  await put({ status: 200, delaySeconds: 20 });
  expect((await post({ body: '{}' })).status).toBe(400);
  expect(waited).toEqual([]);
  expect((await post(signed())).status).toBe(200);
  expect(waited).toEqual([20]);
  for (const wrong of [{ status: 500 }, { status: 200, delaySeconds: 21 }])
    expect((await put(wrong)).status).toBe(400);
});

test('the newest 100 are kept, for 7 days, in 100 rows', async () => {
  const { post, signed, get, table, clock, tokenOf } = await rig();
  const token = await tokenOf();
  for (let n = 0; n < 105; n++) {
    clock.advance(1_000);
    await post(signed(n * 1_000), token);
  }
  const { taken, callbacks } = await get();
  expect(taken).toBe(105);
  const times = callbacks.map(({ body }) => Date.parse((JSON.parse(body) as { time: string }).time) / 1_000);
  expect(times).toEqual(Array.from({ length: 100 }, (_, n) => 104 - n));
  expect((await table.rows()).filter(({ pk }) => pk === 'RECEIVED#bars')).toHaveLength(100);
  clock.advance(days(7));
  expect((await get()).callbacks).toEqual([]);
});
