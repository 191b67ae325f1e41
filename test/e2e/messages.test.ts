import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { linesAbout } from '../support/function-logs.ts';
import { fast, type RunningTests, sharedService } from '../support/shared-service.ts';

const ordinary = 79_001_234_567;
/** The simulated wallet platform never registers this one. */
const unregistered = 79_999_990_001;

let service: RunningTests;
beforeAll(async () => {
  service = await sharedService(fast);
  await request(service.wallet, 'PUT /wallet/recipients', { registered: [ordinary, unregistered] });
});
afterAll(() => service.stop());

type Attempt = {
  body: { messageId: string; state: string; utm?: unknown };
  verified: boolean;
  answered: number | 'closed';
};

const utm = { utmSource: 'crm', shelf: { row: 7 } };
const content = {
  pushType: 'SERVICE',
  payload: { title: 'Ваш заказ готов 👋', message: 'Заберите его на кассе' },
  qos: { deliveryStatusNotifications: true },
  utm,
};

/** Returns all attempts once the partner has taken both states of the message. */
function bothTaken(messageId: string): Promise<Attempt[]> {
  const receiver = { baseUrl: service.endpoints.partner?.url ?? '' };
  const attempts = async () =>
    ((await request(receiver, 'GET /received')).body as Attempt[]).filter(
      ({ body }) => body.messageId === messageId,
    );
  return eventually('both states', attempts, {
    until: (made) => {
      const taken = made.filter(({ answered }) => answered === 200);
      return new Set(taken.map(({ body }) => body.state)).size === 2;
    },
  });
}

test.each([
  ['SendMessage', 'POST /push/delivery', { ...content, msisdn: ordinary }],
  ['SendBulk', 'POST /push/bulk/single', { ...content, msisdn: [ordinary, unregistered, ordinary] }],
  ['SendMulti', 'POST /push/bulk/multi', [{ ...content, msisdn: ordinary }]],
])(
  'rule 22: a message of %s is delivered, opened and called back, and the id of its request is in every log on the way',
  async (name, route, body) => {
    const reply = await request(service.partner, route, body);
    const all = [reply.body].flat() as { messageId: string; msisdn?: number; state: string }[];
    const registered = all.filter(({ msisdn }) => msisdn !== unregistered);
    expect(all.filter(({ state }) => state === 'ENQUEUED')).toEqual(registered);
    const [sent] = registered;
    expect([reply.status, sent?.state]).toEqual([200, 'ENQUEUED']);
    const messageId = sent?.messageId ?? '';
    const received = await bothTaken(messageId);
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
