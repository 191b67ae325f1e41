import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { jsonCaller } from '../../local/engines/json-call.ts';
import { startLoopbackServer } from '../../local/simulators/loopback-server.ts';
import { partnerRoutes } from '../../local/simulators/partner.ts';
import { type Reply, request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { Endpoint, newSigningSecret } from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { partnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import { firstKey } from '../../shared/partners/partner-rows.ts';
import { placeStore, storedPlace } from '../../shared/places/place.ts';
import { systemIds } from '../../shared/platform/runtime/ids.ts';
import { connectLocalTable } from '../../shared/platform/table/table.ts';
import { killableService } from '../support/killable-service.ts';
import { seed } from '../support/property-runs.ts';
import { seededRandom } from '../support/seeded-random.ts';

const soon = { timeoutSeconds: 60, intervalMs: 200 };
const partner = { login: 'crash', partnerId: 'crash', offerIds: ['crash-points', 'crash-desk'] };
const secret = systemIds.token(32);
const signing = newSigningSecret(systemIds, Date.now());
const receiver = { webhookSecret: signing.secret, login: 'wallet-service', secret };
const desk = { itemId: 'desk', placeInfo: { address: 'Arbat 1' } };

test('what was answered 200 is there exactly once, though the service is killed meanwhile', async () => {
  const random = seededRandom('crash', seed);
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from));
  // The first kill is during the requests and the list, the other during the many callbacks.
  const kills = [between(4, 14), between(30, 60)];
  const service = killableService();
  let steps = 0;
  const step = (): void => {
    steps += 1;
    if (steps < (kills[0] ?? Number.POSITIVE_INFINITY)) return;
    kills.shift();
    service.crash();
  };

  const routes = partnerRoutes('', () => receiver);
  const server = await startLoopbackServer(0, {
    ...routes,
    'POST /callback': (received) => {
      step();
      return routes['POST /callback']?.(received) ?? 'hang-up';
    },
  });
  onTestFinished(server.stop);

  const endpoints = await service.up;
  const table = async () => {
    const { dynamodb, tableName } = await service.up;
    return connectLocalTable(tableName, dynamodb);
  };
  const first = await table();
  await partnerAdminStore(first).create(firstKey(partner, secret, Date.now()));
  await placeStore(first).apply('crash-desk', { put: [storedPlace(desk)], remove: [] });
  const settings = { url: `${server.url}/callback`, basic: receiver, signingSecrets: [signing] };
  await endpointStore(first).save(Endpoint.parse({ ...partner, ...settings, status: 'enabled' }));
  const registered = Array.from({ length: 60 }, (_, n) => 79_100_000_000 + n);
  await request({ baseUrl: endpoints.baseUrl }, 'PUT /wallet/recipients', { registered });

  /** Retries a request under its key, whenever the service is up, until the response is final. */
  const ask = async <Body>(route: string, offerId: string, body?: object): Promise<[number, Body]> => {
    const key = randomUUID();
    const sign = async ({ headers }: { headers: object }) => ({ ...headers, 'idempotency-key': key });
    const once = async (): Promise<Reply | undefined> => {
      const { baseUrl } = await service.up;
      const caller = { baseUrl, login: partner.login, secret, offerId, sign };
      return request(caller, route, body).catch(() => undefined);
    };
    const isFinal = (reply: Reply | undefined) =>
      reply !== undefined &&
      reply.status < 500 &&
      (reply.body as { status?: string }).status !== 'REQUEST_IN_PROGRESS';
    const reply = await eventually(`the response to ${route}`, once, { until: isFinal, ...soon });
    if (steps > 0) step();
    return [reply.status, reply.body as Body];
  };

  type Message = { messageId: string; state: string };
  const content = {
    pushType: 'SERVICE',
    payload: { title: 'Crash', message: 'Crash' },
    qos: { deliveryStatusNotifications: true },
  };
  const places = Array.from({ length: 1_200 }, (_, n) => ({
    itemId: `point-${String(n).padStart(4, '0')}`,
    placeInfo: { address: 'Arbat 1' },
  }));
  const [accepted, { sessionId }] = await ask<{ sessionId: string }>('POST /places/sync', 'crash-points', {
    places,
  });
  const bulk = registered.slice(12);
  const [sent, elements] = await ask<Message[]>('POST /push/bulk/single', '', { ...content, msisdn: bulk });
  expect([accepted, sent]).toEqual([200, 200]);
  steps = 1;

  const push = async (msisdn: number) => {
    const [status, message] = await ask<Message>('POST /push/delivery', '', { ...content, msisdn });
    expect([status, message.state]).toEqual([200, 'ENQUEUED']);
    return message;
  };
  /** Two cash desks try to redeem each check-in. If a try redeemed it and was killed, its retry may get 409 (ADR 5). */
  const checkIn = async (n: number): Promise<number> => {
    const card = { offerId: 'crash-desk', placeId: 'desk', cardNumber: `card-${n}` };
    const [opened, { checkinNumber }] = await ask<{ checkinNumber: number }>(
      'POST /wallet/check-ins',
      '',
      card,
    );
    const redeem = () => ask('POST /partner/api/checkin/register', 'crash-desk', { checkinNumber });
    const statuses = (await Promise.all([redeem(), redeem()])).map(([status]) => status);
    expect(opened).toBe(200);
    expect(['200 409', '409 409']).toContain(statuses.sort().join(' '));
    return checkinNumber;
  };
  const [singles, numbers] = await Promise.all([
    Promise.all(registered.slice(0, 12).map(push)),
    Promise.all([1, 2, 3, 4].map(checkIn)),
  ]);
  expect(new Set(numbers).size).toBe(4);
  expect(await ask('GET /partner/api/place/desk/checkins', 'crash-desk')).toEqual([200, []]);

  type Callback = { headers: Record<string, string>; body: Message; verified: boolean };
  const received = async () => (await request({ baseUrl: server.url }, 'GET /received')).body as Callback[];
  const ids = [...singles, ...elements].map(({ messageId }) => messageId);
  const due = ids.flatMap((id) => [`${id}-DELIVERED`, `${id}-OPENED`]).sort();
  const told = async () =>
    [...new Set((await received()).map(({ headers }) => headers['webhook-id']))].sort();
  expect(
    await eventually('all callbacks', told, { until: ({ length }) => length >= due.length, ...soon }),
  ).toEqual(due);
  const isRight = ({ headers, body, verified }: Callback) =>
    verified && headers['webhook-id'] === `${body.messageId}-${body.state}`;
  expect((await received()).filter((callback) => !isRight(callback))).toEqual([]);
  expect(kills).toEqual([]);
  // Delivery is at least once: a kill may repeat what a worker or the stream had not acknowledged.
  const times = Map.groupBy(await received(), ({ headers }) => headers['webhook-id']);
  expect(Math.max(...[...times.values()].map(({ length }) => length))).toBeLessThanOrEqual(1 + 2 * 2);
  for (const id of ids) {
    const [, { states }] = await ask<{ states: Message[] }>(`GET /push/${id}/transactional-state`, '');
    expect(states.map(({ state }) => state).sort()).toEqual(['DELIVERED', 'ENQUEUED', 'OPENED']);
  }

  type Session = { status: string; counts: Record<string, number>; errors: unknown[] };
  const session = async () => (await ask<Session>(`GET /places/sync/${sessionId}`, 'crash-points'))[1];
  const finished = await eventually('the session', session, {
    until: ({ status }) => status === 'FINISHED',
    ...soon,
  });
  expect(finished).toMatchObject({ status: 'FINISHED', counts: { added: 1_200 }, errors: [] });
  const stored = await placeStore(await table()).page('crash-points', 5_000);
  expect(stored.places.map(({ itemId }) => itemId)).toEqual(places.map(({ itemId }) => itemId));

  const { sqs, queues } = await service.up;
  const waiting = async () => {
    const count = async ([name, QueueUrl]: [string, string]) => {
      const input = { QueueUrl, AttributeNames: ['All'] };
      type Counted = { Attributes: Record<string, string> };
      const { Attributes } = await jsonCaller(sqs, 'sqs')<Counted>('GetQueueAttributes', input);
      const counts = Object.entries(Attributes).filter(([key]) => key.startsWith('ApproximateNumberOf'));
      return counts.some(([, value]) => value !== '0') ? [name] : [];
    };
    return (await Promise.all(Object.entries(queues).map(count))).flat();
  };
  await eventually('empty queues', waiting, { until: (names) => names.length === 0, ...soon });
}, 120_000);
