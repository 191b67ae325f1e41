import type { Rng } from './rng.ts';

interface SentPlace {
  readonly itemId: string;
  /** What is stored when the list takes effect; every list uses a name of its own for what it changes. */
  readonly name: string;
  /** Why the service must reject it. */
  readonly flaw?: 'no address' | 'repeated';
}

export interface PlaceList {
  readonly marker: string;
  readonly places: readonly SentPlace[];
}

/** Sizes tell lists of an offer apart, also in the row of a session whose id no response named. */
function unusedSize(wanted: number, used: Set<number>): number {
  let size = wanted;
  while (used.has(size)) size += 1;
  used.add(size);
  return size;
}

/** Bytes of UTF-8 and units of UTF-16 sort these apart. */
function itemIdOf(n: number): string {
  return `${n % 7 === 0 ? '\u{1F37A}' : n % 5 === 0 ? '\uFF5E' : 'p'}${String(n).padStart(5, '0')}`;
}

/** Lists of one offer: mostly the same places, some changed, some left out, some wrong. */
export function createListMaker(offerId: string, rng: Rng, maxPlaces: number) {
  const used = new Set<number>();
  let lists = 0;
  return (): PlaceList => {
    lists += 1;
    const marker = `${offerId} list ${lists}`;
    const size = unusedSize(rng.between(Math.ceil(maxPlaces / 10), maxPlaces), used);
    const places: SentPlace[] = [];
    for (let n = rng.between(0, 3); places.length < size; n += rng.happens(0.1) ? 2 : 1) {
      const name = rng.happens(0.5) ? 'always so' : marker;
      places.push({
        itemId: itemIdOf(n),
        name,
        ...(rng.happens(0.01) ? { flaw: 'no address' as const } : {}),
      });
      if (places.length < size && rng.happens(0.01)) {
        places.push({ itemId: itemIdOf(n), name: 'the second of two', flaw: 'repeated' });
      }
    }
    return { marker, places };
  };
}

export type MakeList = ReturnType<typeof createListMaker>;

export function bodyOf({ places }: PlaceList) {
  return {
    confirmRemovals: true,
    places: places.map(({ itemId, name, flaw }) => ({
      itemId,
      placeInfo: { name, ...(flaw === 'no address' ? {} : { address: 'Pyatnitskaya 1' }) },
    })),
  };
}
