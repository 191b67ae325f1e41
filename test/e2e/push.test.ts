import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { fast, type RunningTests, sharedService } from '../support/shared-service.ts';

type Sent = { msisdn: number; messageId: string; state: string };
type Received = {
  body: { messageId: string; state: string; utm?: unknown };
  raw: string;
  verified: boolean;
};

let service: RunningTests;
beforeAll(async () => {
  service = await sharedService(fast);
  await request(service.wallet, 'PUT /wallet/recipients', { registered: [phone, other] });
});
afterAll(() => service.stop());

const phone = 79_001_234_567;
const other = 79_007_654_321;
const payload = { title: 'Ваш заказ готов 👋', message: 'Заберите его на кассе' };
const utm = { utmSource: 'crm', shelf: { row: 7 } };
const qos = { deliveryStatusNotifications: true };

function receiver() {
  return { baseUrl: service.endpoints.partner?.url ?? '' };
}

function callbacksFor(
  at: { baseUrl: string },
  messageIds: readonly string[],
  count: number,
): Promise<Received[]> {
  const ask = async () => {
    const { body } = await request(at, 'GET /received');
    return (body as Received[]).filter((received) => messageIds.includes(received.body.messageId));
  };
  const distinct = (received: Received[]) =>
    new Set(received.map(({ body }) => `${body.messageId} ${body.state}`)).size;
  return eventually(`${count} callbacks`, ask, { until: (received) => distinct(received) >= count });
}

async function statesOf(messageId: string): Promise<string[]> {
  const { body } = await request(service.partner, `GET /push/${messageId}/transactional-state`);
  return (body as { states: { state: string }[] }).states.map(({ state }) => state);
}

async function send(speaker = service.partner, more: object = {}): Promise<Sent> {
  return (
    await request(speaker, 'POST /push/delivery', {
      pushType: 'SERVICE',
      msisdn: phone,
      payload,
      qos,
      utm,
      ...more,
    })
  ).body as Sent;
}

test('rule 22: a message is delivered, opened, called back with a good signature, and has its history', async () => {
  const sent = await send();
  expect(sent.state).toBe('ENQUEUED');
  const received = await callbacksFor(receiver(), [sent.messageId], 2);
  expect(received.map(({ body, verified }) => [body.state, body.utm, verified]).sort()).toEqual([
    ['DELIVERED', utm, true],
    ['OPENED', utm, true],
  ]);
  expect(await statesOf(sent.messageId)).toEqual(['ENQUEUED', 'DELIVERED', 'OPENED']);
});

test('one message to many goes out once to each, under both paths of the operation', async () => {
  for (const path of ['/push/bulk/single', '/bulk/single']) {
    const { body, status } = await request(service.partner, `POST ${path}`, {
      pushType: 'PROMO',
      msisdn: [phone, 79_009_999_999, other, phone],
      payload,
      qos,
    });
    const sent = body as Sent[];
    expect([status, ...sent.map(({ state }) => state)]).toEqual([
      200,
      'ENQUEUED',
      'MSISDN_NOT_REGISTERED',
      'ENQUEUED',
      'ENQUEUED',
    ]);
    const ids = [
      ...new Set(sent.filter(({ state }) => state === 'ENQUEUED').map(({ messageId }) => messageId)),
    ];
    expect(ids).toHaveLength(2);
    expect(await callbacksFor(receiver(), ids, 4)).toHaveLength(4);
  }
});

test('a message sent without callbacks gets none', async () => {
  const quiet = await send(service.partner, { qos: {} });
  await eventually('all states', async () => (await statesOf(quiet.messageId)).length === 3);
  const loud = await send();
  await callbacksFor(receiver(), [loud.messageId], 2);
  expect(await callbacksFor(receiver(), [quiet.messageId], 0)).toEqual([]);
});

test('what the contract answers without a body has none on the wire', async () => {
  const refused = await request(service.partner, 'POST /push/delivery', {
    pushType: 'SERVICE',
    msisdn: phone,
  });
  expect([refused.status, refused.body]).toEqual([400, '']);
  expect(refused.headers.get('x-error')).toBe('REQUEST_INVALID; payload: required');
  const none = await request(service.partner, 'GET /promos');
  expect([none.status, none.body]).toEqual([404, '']);
});

test('rule 37: numbers in utm arrive in the callback as they were written', async () => {
  const numbers = '{"big":9223372036854775807,"price":1.10,"far":1e400}';
  const response = await fetch(`${service.partner.baseUrl}/push/delivery`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${service.partner.login}:${service.partner.secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: `{"pushType":"SERVICE","msisdn":${phone},"payload":${JSON.stringify(payload)},"qos":${JSON.stringify(qos)},"utm":${numbers}}`,
  });
  const { messageId } = (await response.json()) as Sent;
  const [callback] = await callbacksFor(receiver(), [messageId], 1);
  expect(callback?.raw).toContain(`"utm":${numbers}`);
});
