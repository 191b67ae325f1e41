import type { Rng } from '../core/rng.ts';
import type { Element } from './expected-places.ts';

/** Returns ids whose order in UTF-8 bytes differs from their order in UTF-16 units. */
function itemIdOf(n: number): string {
  return `${n % 7 === 0 ? '\u{1F37A}' : n % 5 === 0 ? '\uFF5E' : 'p'}${n}`;
}

const wrongItemId = { itemId: 7, placeInfo: { address: 'Pyatnitskaya 1' } };
const nonsense = [null, 7, {}, { itemId: '' }, wrongItemId] as const;

const asEver = { name: 'as ever', address: 'Pyatnitskaya 1' };
/** What a list may change in a place: any member, and nothing else. */
const changes = [
  { name: 'renamed' },
  { name: 'renamed again' },
  { address: 'Pyatnitskaya 2' },
  { phones: [{ type: 'work', number: '1' }] },
  { phones: [{ type: 'work', number: '2' }] },
  { phones: [{ type: 'home', number: '1' }] },
  { schedule: 'always' },
  { metroStations: ['Arbat'] },
  { type: 'cafe' },
  { geoPoint: { lat: 55.7, lng: 37.6 } },
  { geoPoint: { lat: 55.7, lng: 37.7 } },
  { geoPoint: { lat: 55.8, lng: 37.6 } },
] as const;

/** Returns mostly the same places, in either order: some are changed, left out, invalid or duplicated. */
export function elementsOf(rng: Rng, count: number): Element[] {
  const from = rng.between(0, 8);
  const nonsenseRate = rng.happens(0.05) ? 1 : 0.02;
  const ids = Array.from({ length: count }, (_, n) =>
    rng.happens(nonsenseRate) ? undefined : itemIdOf(rng.happens(0.04) ? from : from + n),
  );
  if (rng.happens(0.5)) ids.reverse();
  return ids.map((itemId, n): Element => {
    const rejected = (why: string, place: unknown, shown = place) => {
      return { itemId, place, rejected: { begins: `places[${n}]${why}`, place: shown } };
    };
    if (itemId === undefined) return rejected('', rng.pick(nonsense));
    const changed = rng.happens(0.5) ? rng.pick<object>(changes) : {};
    const place = { itemId, placeInfo: { ...asEver, ...changed } };
    const first = ids.indexOf(itemId);
    if (first < n) return rejected(`.itemId: already sent at places[${first}];`, place);
    if (rng.happens(0.02))
      return rejected('.placeInfo.address: required', { itemId, placeInfo: { name: 'nowhere' } });
    const tooLong = { itemId, placeInfo: { ...place.placeInfo, name: 'x'.repeat(64_100) } };
    if (rng.happens(0.004)) return rejected('.placeInfo.name: must have', tooLong, { itemId });
    return { itemId, place };
  });
}

/** Returns places that no list of `elementsOf` has. */
export function newElements(from: number, count: number): Element[] {
  return Array.from({ length: count }, (_, n) => {
    const itemId = itemIdOf(1_000 + from + n);
    return { itemId, place: { itemId, placeInfo: { name: 'new', address: 'Pyatnitskaya 1' } } };
  });
}
