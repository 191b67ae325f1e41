import { isDeepStrictEqual } from 'node:util';
import type { SyncCounts } from '../../shared/places/list-plan.ts';
import type { Figure } from '../figure.ts';
import type { Actors } from './actors.ts';
import { onePercentChanged, placeList, syncList } from './place-list.ts';
import { firstPhone, follow, phones, registerPhones } from './sending.ts';

/** From a request to its last effect. The bench times it, and test/e2e/unit-budgets.test.ts counts what it consumes. */
export type Flow = {
  /** `1,000 places, new` */
  name: string;
  /** The series, which is measured at several sizes, and the size of this flow: `places, new`, 1,000 places. */
  series: NonNullable<Figure['series']>;
  /** Prepares the flow; it is not measured. */
  before?: (actors: Actors) => Promise<unknown>;
  /** Returns the seconds until each effect. `afterOpened` runs between the openings and the callbacks. */
  run: (actors: Actors, afterOpened?: () => Promise<void>) => Promise<Readonly<Record<string, number>>>;
};

/** Sends a new list, the same again, and one with 1 % changed. Each flow begins where the previous one ended. */
export function syncFlows(size: number): readonly [Flow, Flow, Flow] {
  const places = placeList(size);
  const flow = (kind: string, list: readonly unknown[], expected: Partial<SyncCounts>): Flow => ({
    ...named(size, 'places', kind),
    run: async (actors) => {
      const { counts, ...seconds } = await syncList(actors, list);
      const right = isDeepStrictEqual(counts, { ...counts, ...expected });
      if (!right) throw new Error(`wrong counts: ${JSON.stringify(counts)}`);
      return seconds;
    },
  });
  // Leaves one place, which the measured session of the new list removes.
  const before = (actors: Actors) => syncList(actors, placeList(size + 1).slice(-1));
  return [
    { ...flow('new', places, { added: size }), before },
    flow('unchanged', places, { unchanged: size }),
    flow('1 % changed', onePercentChanged(places), { updated: Math.ceil(size / 100) }),
  ];
}

export function bulkFlow(size: number): Flow {
  return {
    ...named(size, 'recipients', 'with callbacks'),
    before: (actors) => registerPhones(actors, size),
    run: (actors, afterOpened) => follow(actors, 'POST /push/bulk/single', phones(size), afterOpened),
  };
}

export const messageFlow: Flow = {
  ...named(1, 'message', 'with callbacks'),
  before: (actors) => registerPhones(actors, 1),
  run: (actors, afterOpened) => follow(actors, 'POST /push/delivery', firstPhone, afterOpened),
};

function named(size: number, elements: string, kind: string) {
  const of = `${elements}, ${kind}`;
  return { name: `${size.toLocaleString('en')} ${of}`, series: { of, size } };
}
