import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { linesAbout } from '../support/function-logs.ts';
import { fast, type RunningTests, sharedService } from '../support/shared-service.ts';

/** The wallet platform reports twice for the first phone, and the opening before the delivery for the second. */
const phones = { main: 79_999_990_004, other: 79_999_990_005 };
const ordinary = 79_001_234_567;
type Who = keyof typeof phones;

let service: RunningTests;
beforeAll(async () => {
  service = await sharedService(fast);
  await request(service.wallet, 'PUT /wallet/recipients', {
    registered: [ordinary, ...Object.values(phones)],
  });
});
afterAll(() => service.stop());
beforeEach(() => Promise.all([behave('main', {}), behave('other', {})]));

type Attempt = {
  headers: Record<string, string>;
  body: { messageId: string; state: string; utm?: unknown };
  verified: boolean;
  answered: number | 'closed';
};

function receiver(who: Who) {
  const { partner, other } = service.endpoints;
  return { baseUrl: (who === 'main' ? partner : other.partner)?.url ?? '' };
}

function behave(who: Who, how: object) {
  return request(receiver(who), 'POST /behave', how);
}

const utm = { utmSource: 'crm', shelf: { row: 7 } };
const content = {
  pushType: 'SERVICE',
  payload: { title: 'Ваш заказ готов 👋', message: 'Заберите его на кассе' },
  qos: { deliveryStatusNotifications: true },
  utm,
};

async function send(who: Who): Promise<string> {
  const caller = who === 'main' ? service.partner : service.other;
  const { body } = await request(caller, 'POST /push/delivery', { ...content, msisdn: phones[who] });
  return (body as { messageId: string }).messageId;
}

async function attemptsAt(who: Who, messageId: string): Promise<Attempt[]> {
  const { body } = await request(receiver(who), 'GET /received');
  return (body as Attempt[]).filter((attempt) => attempt.body.messageId === messageId);
}

/** Returns all attempts once the partner has taken both states of the message. */
function bothTaken(who: Who, messageId: string): Promise<Attempt[]> {
  return eventually('both states', () => attemptsAt(who, messageId), {
    until: (attempts) => {
      const taken = attempts.filter(({ answered }) => answered === 200);
      return new Set(taken.map(({ body }) => body.state)).size === 2;
    },
  });
}

test.each([
  ['SendMessage', 'POST /push/delivery', { ...content, msisdn: ordinary }],
  ['SendBulk', 'POST /push/bulk/single', { ...content, msisdn: [ordinary, 79_009_999_999, ordinary] }],
  ['SendMulti', 'POST /push/bulk/multi', [{ ...content, msisdn: ordinary }]],
])(
  'rule 22: a message of %s is delivered, opened and called back, and the id of its request is in every log on the way',
  async (name, route, body) => {
    const reply = await request(service.partner, route, body);
    const [sent] = [reply.body].flat() as { messageId: string; state: string }[];
    expect([reply.status, sent?.state]).toEqual([200, 'ENQUEUED']);
    const messageId = sent?.messageId ?? '';
    const received = await bothTaken('main', messageId);
    expect(received.map((one) => [one.body.state, one.body.utm, one.verified]).sort()).toEqual([
      ['DELIVERED', utm, true],
      ['OPENED', utm, true],
    ]);
    const history = await request(service.partner, `GET /push/${messageId}/transactional-state`);
    expect((history.body as { states: { state: string }[] }).states.map(({ state }) => state)).toEqual([
      'ENQUEUED',
      'DELIVERED',
      'OPENED',
    ]);

    const lines = await linesAbout(reply, { stateDir: service.stateDir, last: 'DeliverCallback' });
    const behind = ['DeliverCallback', 'DispatchMessages', 'FanOutStates', 'RecordReceipts'];
    expect([...lines.keys()].sort()).toEqual([...behind, name, 'ShowMessages']);
    // CloudWatch counts metrics nowhere whose line does not hold their dimensions.
    expect(JSON.parse(lines.get(name)?.at(-1) ?? '')).toMatchObject({
      level: 'INFO',
      service: expect.stringMatching(/^partner-integration/),
      function: name,
      PushesAccepted: 1,
      _aws: { CloudWatchMetrics: [{ Dimensions: [['service', 'function']] }] },
    });
  },
);

test('a partner that keeps failing gets its callback on the third attempt or later, under the same webhook-id', async () => {
  // Four refusals of two callbacks mean that at least one callback gets two of them.
  await behave('main', { status: 503, times: 4 });
  const messageId = await send('main');
  const attempts = await bothTaken('main', messageId);
  expect(attempts.filter(({ answered }) => answered === 503)).toHaveLength(4);
  expect(attempts.every(({ verified }) => verified)).toBe(true);
  const byId = Map.groupBy(attempts, ({ headers }) => headers['webhook-id'] ?? '');
  expect([...byId.keys()].sort()).toEqual([`${messageId}-DELIVERED`, `${messageId}-OPENED`]);
  expect(Math.max(...[...byId.values()].map(({ length }) => length))).toBeGreaterThanOrEqual(3);
});

test('rule 24: a partner that never answers delays no other, and gets every callback once it recovers', async () => {
  await request(service.other, 'PUT /callbacks/endpoint', { timeoutSeconds: 9 });
  await behave('other', { close: true, delayMs: 600_000 });
  // Its states come in two batches at most. The local runner has four at once on two cores, not 200 as Lambda.
  const undelivered = await send('other');
  await eventually('a failed attempt', () => attemptsAt('other', undelivered), {
    until: (attempts) => attempts.length > 0,
  });
  const sentAt = performance.now();
  await bothTaken('main', await send('main'));
  // An attempt that waits for the other partner takes longer than this.
  expect(performance.now() - sentAt).toBeLessThan(8_000);
  await behave('other', {});
  await bothTaken('other', undelivered);
});
