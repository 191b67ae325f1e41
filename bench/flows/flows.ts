import { isDeepStrictEqual } from 'node:util';
import type { Consumption } from '../../local/engines/consumption.ts';
import type { EngineMeter } from '../../local/engines/engine-meter.ts';
import type { SyncCounts } from '../../shared/places/list-plan.ts';
import type { Figure } from '../figure.ts';
import type { Actors } from './actors.ts';
import { onePercentChanged, placeList, syncList } from './place-list.ts';
import { allRecorded, firstPhone, follow, phones, registerPhones } from './sending.ts';

type UnitBudget = Pick<Consumption, 'read' | 'write' | 'queueRequests' | 'invocations'>;

/** From a request to its last effect. The section `units` counts what it consumes, `sync` and `push` how long it takes. */
export type Flow = {
  /** `1,000 places, new` */
  name: string;
  /** What is measured at several sizes, and the size: `places, new`, 1,000 places. */
  series: NonNullable<Figure['series']>;
  budget: UnitBudget;
  /** Counts what FanOutStates consumes. In other flows it only reads their events, in the time of a later flow. */
  callsBack?: true;
  /** Prepares the flow; it is not measured. */
  before?: (actors: Actors) => Promise<unknown>;
  /** Returns the seconds until each effect. With `hold`, nothing that is counted depends on the machine's speed. */
  run: (actors: Actors, hold?: EngineMeter['hold']) => Promise<Readonly<Record<string, number>>>;
};

function budget(read: number, write: number, queueRequests: number, invocations: number): UnitBudget {
  return { read, write, queueRequests, invocations };
}

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
export function syncFlows(size: keyof typeof syncBudgets): Flow[] {
  const places = placeList(size);
  const [added, unchanged, changed] = syncBudgets[size];
  const flow = (
    kind: string,
    ofKind: UnitBudget,
    list: readonly unknown[],
    expected: Partial<SyncCounts>,
  ): Flow => ({
    ...named(size, 'places', kind),
    budget: ofKind,
    run: async (actors) => {
      const { counts, ...seconds } = await syncList(actors, list);
      const found = { ...counts, ...expected };
      if (!isDeepStrictEqual(counts, found)) throw new Error(`wrong counts: ${JSON.stringify(counts)}`);
      return seconds;
    },
  });
  // Leaves one place, which the counted session of the new list removes.
  const before = (actors: Actors) => syncList(actors, placeList(size + 1).slice(-1));
  return [
    { ...flow('new', added, places, { added: size }), before },
    flow('unchanged', unchanged, places, { unchanged: size }),
    flow('1 % changed', changed, onePercentChanged(places), { updated: Math.ceil(size / 100) }),
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

export function bulkFlow(size: keyof typeof bulkBudgets): Flow {
  return {
    ...named(size, 'recipients', 'with callbacks'),
    budget: bulkBudgets[size],
    callsBack: true,
    before: (actors) => registerPhones(actors, size),
    run: async (actors, hold) => {
      // Hold FanOutStates until every receipt is recorded, so that its batches are full whatever the machine's speed.
      const release = hold?.('FanOutStates');
      const afterOpened = release && (() => allRecorded(actors).then(release));
      return follow(actors, 'POST /push/bulk/single', phones(size), afterOpened).finally(release);
    },
  };
}

export const messageFlow: Flow = {
  ...named(1, 'message', 'with callbacks'),
  // Half a unit for the recipient, half each for the receipts, the stream and the endpoint; a write each for the message,
  // its states and the lease of the rate.
  budget: budget(2.5, 3, 2, 5),
  callsBack: true,
  before: (actors) => registerPhones(actors, 1),
  run: (actors) => follow(actors, 'POST /push/delivery', firstPhone),
};

function named(size: number, elements: string, kind: string) {
  const of = `${elements}, ${kind}`;
  return { name: `${size.toLocaleString('en')} ${of}`, series: { of, size } };
}
