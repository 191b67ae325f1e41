import type { Consumption } from '../../local/engines/consumption.ts';
import type { EngineMeter } from '../../local/engines/engine-meter.ts';
import type { Figure } from '../figure.ts';
import { type Actors, must } from './actors.ts';
import { onePercentChanged, placeList, syncList } from './place-list.ts';
import { allRecorded, firstPhone, follow, phones, registerPhones } from './sending.ts';

type UnitBudget = Pick<Consumption, 'read' | 'write' | 'queueRequests' | 'invocations'>;

/** One operation, or a whole flow, from its request to its last effect. */
export type Flow = {
  /** `bulk of 1,000` */
  name: string;
  budget: UnitBudget;
  series?: Figure['series'];
  /** Counts what FanOutStates consumes. In other flows it only reads their events, in the time of a later flow. */
  callsBack?: true;
  /** Prepares the flow; it is not counted. */
  before?: (actors: Actors) => Promise<unknown>;
  run: (actors: Actors, hold: EngineMeter['hold']) => Promise<unknown>;
};

function budget(read: number, write: number, queueRequests: number, invocations: number): UnitBudget {
  return { read, write, queueRequests, invocations };
}

const offer = 'bars-of-moscow';
const card = 9_643_907_500;

function openCheckIn({ wallet }: Actors, cardNumber: number) {
  const body = { offerId: offer, placeId: 'point-1', cardNumber: String(cardNumber) };
  return must(wallet, 'POST /wallet/check-ins', body);
}

const thousandPhones = { registered: phones(1_000) };
const promotion = { name: 'Два по цене одного', startDate: '2026-01-01T00:00:00+03' };

type Request = readonly [
  name: string,
  who: 'partner' | 'wallet',
  route: string,
  most: Parameters<typeof budget>,
  body?: unknown,
];

const requests: readonly Request[] = [
  ['list five check-ins', 'partner', 'GET /partner/api/place/point-1/checkins', [1, 0, 0, 1]],
  ['redeem a check-in', 'partner', 'POST /partner/api/checkin/register', [2, 2, 0, 1], { checkinNumber: 1 }],
  ['set 1,000 recipients', 'wallet', 'PUT /wallet/recipients', [0, 1_000, 0, 1], thousandPhones],
  ['create a promotion', 'partner', 'POST /promo/v1/create', [1, 8, 0, 1], promotion],
  ['update a promotion', 'partner', 'POST /promo/v1/update', [2, 5, 0, 1], { promoId: 1, discount: '50 %' }],
  ['details of a promotion', 'partner', 'GET /promo/v1/details?promoId=1', [1, 0, 0, 1]],
  ['list promotions', 'partner', 'GET /promo/v1/all', [1, 1, 0, 1]],
  ['list active promotions', 'partner', 'GET /promos', [1, 1, 0, 1]],
  ['active promotions for the wallet', 'wallet', `GET /wallet/offers/${offer}/promos`, [2, 0, 0, 1]],
  ['a page of places for the wallet', 'wallet', `GET /wallet/offers/${offer}/places`, [1, 0, 0, 1]],
];

/** Single requests. Each needs what those before it left in the table. */
export const requestFlows: readonly Flow[] = [
  {
    name: 'open a check-in, the fifth at its place',
    budget: budget(2.5, 3, 0, 1),
    before: async (actors) => {
      await syncList(actors, [{ itemId: 'point-1', placeInfo: { address: 'Тверская улица, дом 7' } }]);
      for (const n of [1, 2, 3, 4]) await openCheckIn(actors, card + n);
    },
    run: (actors) => openCheckIn(actors, card + 5),
  },
  ...requests.map(
    ([name, who, route, most, body]): Flow => ({
      name,
      budget: budget(...most),
      run: (actors) => must(actors[who], route, body),
    }),
  ),
];

/**
 * Budgets of a new list, an unchanged one, and one with 1 % changed. A list that changes something writes its event (3 units)
 * and the points that it changes (1), and reads up to 100 of those to update. The second list within ten seconds costs one write
 * more, which counts it against the partner's budget of requests.
 */
const syncBudgets = {
  10: [budget(4, 19, 2, 2), budget(5, 4, 2, 2), budget(6, 10, 2, 2)],
  1000: [budget(4, 1_009, 2, 2), budget(122, 4, 2, 2), budget(127, 18, 2, 2)],
  10000: [budget(4, 10_009, 8, 2), budget(1_141, 4, 8, 2), budget(1_220, 109, 8, 2)],
} as const;

/** Sends a new list, the same again, and one with 1 % changed. Each flow begins where the previous one ended. */
export function syncFlows(count: keyof typeof syncBudgets): Flow[] {
  const places = placeList(count);
  const [added, unchanged, changed] = syncBudgets[count];
  const send = (list: readonly unknown[]) => (actors: Actors) => syncList(actors, list);
  const flow = (kind: string, list: readonly unknown[], ofKind: UnitBudget): Flow => ({
    name: `sync of ${count.toLocaleString('en')}${kind}`,
    budget: ofKind,
    series: { of: `sync${kind}`, size: count },
    run: send(list),
  });
  // Leaves one place, which the counted session of the new list removes.
  const before = send(placeList(count + 1).slice(-1));
  return [
    { ...flow(' new', places, added), before },
    flow(' unchanged', places, unchanged),
    flow(', 1 % changed', onePercentChanged(places), changed),
  ];
}

/**
 * Each step (send, dispatch, record, fan out, deliver) takes an invocation at least, with two messages between them. The
 * larger budgets leave room for a busy machine, where batches are smaller and a callback may take the slow lane.
 */
const bulkBudgets = {
  1: budget(3.5, 4, 2, 5),
  100: budget(55, 8, 5, 8),
  1000: budget(550, 50, 20, 25),
  10000: budget(5_500, 400, 120, 80),
};

export function bulkFlow(count: keyof typeof bulkBudgets): Flow {
  return {
    name: `bulk of ${count.toLocaleString('en')}, with callbacks`,
    budget: bulkBudgets[count],
    series: { of: 'bulk, with callbacks', size: count },
    callsBack: true,
    before: (actors) => registerPhones(actors, count),
    run: async (actors, hold) => {
      // Hold FanOutStates until every receipt is recorded, so that its batches are full whatever the machine's speed.
      const release = hold('FanOutStates');
      const afterOpened = () => allRecorded(actors).then(release);
      await follow(actors, 'POST /push/bulk/single', phones(count), afterOpened).finally(release);
    },
  };
}

export const messageFlow: Flow = {
  name: 'one message, with callbacks',
  // Half a unit for the recipient, half each for the receipts, the stream and the endpoint; a write each for the message,
  // its states and the lease of the rate.
  budget: budget(2.5, 3, 2, 5),
  callsBack: true,
  before: (actors) => registerPhones(actors, 1),
  run: (actors) => follow(actors, 'POST /push/delivery', firstPhone),
};
