import type { Endpoints, LocalService } from '../../local/service.ts';
import { type Caller, type Reply, request } from '../../ops/scenario/client.ts';
import { eventually } from '../../ops/scenario/eventually.ts';
import { onePercentChanged, placeList } from '../place-list.ts';
import { firstPhone, phones, registerPhones } from '../push/phones.ts';
import { oneSession } from '../sync/one-session.ts';

/** What flows stand on: a fresh service with its simulators. */
export interface Scene {
  readonly service: Endpoints;
  readonly partner: Caller;
  readonly wallet: Caller;
  /** Where the simulated partner and the simulated wallet platform tell what they saw. */
  readonly receiver: Caller;
  readonly devices: Caller;
}

/** One operation, or a whole flow, from its request to its last effect. */
export interface Flow {
  /** `bulk of 1,000` */
  readonly name: string;
  /** What it is one of several sizes of: `sync, unchanged`, of 1,000. */
  readonly series?: { readonly of: string; readonly size: number };
  /** What must be there first; not counted. */
  readonly before?: (scene: Scene) => Promise<unknown>;
  readonly run: (scene: Scene) => Promise<unknown>;
  /** The functions that count, where others are still at work when the flow ends. Left out: all. */
  readonly only?: readonly string[];
}

export function sceneOf({ endpoints }: LocalService): Scene {
  const { baseUrl, login, secret, offerId, partner, wallet } = endpoints;
  if (!partner || !wallet) throw new Error('the service has no simulators');
  return {
    service: endpoints,
    partner: { baseUrl, login, secret, offerId },
    wallet: { baseUrl },
    receiver: { baseUrl: partner.url },
    devices: { baseUrl: wallet.url },
  };
}

const payload = { title: 'Мы переехали', message: 'Ждём вас на Тверской, дом 7' };
const content = { pushType: 'SERVICE', payload };
const calledBack = { qos: { deliveryStatusNotifications: true } };

/** An answer other than 200 is no flow to count. */
async function must(speaker: Caller, route: string, body?: unknown): Promise<Reply> {
  const reply = await request(speaker, route, body);
  if (reply.status !== 200)
    throw new Error(`${route} was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply;
}

async function reaches(what: string, ask: () => Promise<number>, goal: number): Promise<void> {
  // A message whose worker died comes again after six minutes.
  const last = await eventually(ask, (value) => value >= goal, { timeoutSeconds: 420, intervalMs: 50 });
  if (last < goal) throw new Error(`${what}: ${last} of ${goal}`);
}

function sync({ service }: Scene, places: readonly unknown[]) {
  return oneSession(service, places);
}

/** New, the same again, and with one in a hundred changed. Each begins where the one before ended. */
export function syncFlows(count: number): Flow[] {
  const places = placeList(count);
  const changed = onePercentChanged(places);
  const named = count.toLocaleString('en');
  return [
    // All others are removed first, so that the one that stays is removed in the counted session.
    {
      name: `sync of ${named} new`,
      series: { of: 'sync, new', size: count },
      before: (scene) => sync(scene, placeList(count + 1).slice(-1)),
      run: (scene) => sync(scene, places),
    },
    {
      name: `sync of ${named} unchanged`,
      series: { of: 'sync, unchanged', size: count },
      run: (scene) => sync(scene, places),
    },
    {
      name: `sync of ${named}, 1 % changed`,
      series: { of: 'sync, 1 % changed', size: count },
      run: (scene) => sync(scene, changed),
    },
  ];
}

async function shown({ devices }: Scene): Promise<number> {
  return ((await request(devices, 'GET /devices')).body as { recipients: number }).recipients;
}

async function received({ receiver }: Scene): Promise<number> {
  return ((await request(receiver, 'GET /received')).body as unknown[]).length;
}

/** A send to registered numbers, until the wallet platform has taken it and, if asked for, both states came back. */
async function sent(
  scene: Scene,
  count: number,
  send: () => Promise<unknown>,
  callbacks: boolean,
): Promise<void> {
  const alreadyShown = await shown(scene);
  const alreadyReceived = await received(scene);
  await send();
  await reaches('shown', () => shown(scene), alreadyShown + count);
  if (callbacks) await reaches('called back', () => received(scene), alreadyReceived + 2 * count);
}

export function bulkFlow(count: number): Flow {
  return {
    name: `bulk of ${count.toLocaleString('en')}, with callbacks`,
    series: { of: 'bulk, with callbacks', size: count },
    before: (scene) => registerPhones(scene.service, count),
    run: (scene) =>
      sent(
        scene,
        count,
        () =>
          must(scene.partner, 'POST /push/bulk/single', { ...content, ...calledBack, msisdn: phones(count) }),
        true,
      ),
  };
}

/** Only what the request and the hand-over cost. */
export function bulkSendFlow(count: number): Flow {
  return {
    name: `bulk of ${count.toLocaleString('en')}, accepted and handed over`,
    only: ['SendBulk', 'DispatchMessages'],
    before: (scene) => registerPhones(scene.service, count),
    run: (scene) =>
      sent(
        scene,
        count,
        () => must(scene.partner, 'POST /push/bulk/single', { ...content, msisdn: phones(count) }),
        false,
      ),
  };
}

export const messageFlow: Flow = {
  name: 'one message, with callbacks',
  before: (scene) => registerPhones(scene.service, 1),
  run: (scene) =>
    sent(
      scene,
      1,
      () => must(scene.partner, 'POST /push/delivery', { ...content, ...calledBack, msisdn: firstPhone }),
      true,
    ),
};

function checkIn({ wallet }: Scene, card: number) {
  return must(wallet, 'POST /wallet/check-ins', {
    offerId: offer,
    placeId: 'point-1',
    cardNumber: String(card),
  });
}

const offer = 'bars-of-moscow';
const card = 9_643_907_500;

/** Single requests, in the order of the areas. */
export const requestFlows: readonly Flow[] = [
  {
    name: 'open a check-in, the fifth at its place',
    before: async (scene) => {
      await sync(scene, [{ itemId: 'point-1', placeInfo: { address: 'Тверская улица, дом 7' } }]);
      for (const n of [1, 2, 3, 4]) await checkIn(scene, card + n);
    },
    run: (scene) => checkIn(scene, card + 5),
  },
  {
    name: 'list five check-ins',
    run: ({ partner }) => must(partner, 'GET /partner/api/place/point-1/checkins'),
  },
  {
    name: 'use a check-in up',
    run: ({ partner }) => must(partner, 'POST /partner/api/checkin/register', { checkinNumber: 1 }),
  },
  {
    name: 'set 1,000 recipients',
    run: ({ wallet }) => must(wallet, 'PUT /wallet/recipients', { registered: phones(1_000) }),
  },
  {
    name: 'create a promotion',
    run: ({ partner }) =>
      must(partner, 'POST /promo/v1/create', {
        name: 'Два по цене одного',
        startDate: '2026-01-01T00:00:00+03',
      }),
  },
  {
    name: 'update a promotion',
    run: ({ partner }) => must(partner, 'POST /promo/v1/update', { promoId: 1, discount: '50 %' }),
  },
  { name: 'details of a promotion', run: ({ partner }) => must(partner, 'GET /promo/v1/details?promoId=1') },
  { name: 'list promotions', run: ({ partner }) => must(partner, 'GET /promo/v1/all') },
  { name: 'list active promotions', run: ({ partner }) => must(partner, 'GET /promos') },
  {
    name: 'active promotions for the wallet',
    run: ({ wallet }) => must(wallet, `GET /wallet/offers/${offer}/promos`),
  },
  {
    name: 'a page of places for the wallet',
    run: ({ wallet }) => must(wallet, `GET /wallet/offers/${offer}/places`),
  },
];
