import type { ResponseTo } from '../../api/operations.ts';
import type { Place } from '../../api/use-places.ts';
import { nameOf } from '../../parts/places.ts';
import type { List } from './read-list.ts';

export type Session = ResponseTo<'GET /places/sync/{sessionId}'>;
export type Changes = NonNullable<Session['changes']>;
export type Kind = keyof Changes;

/** How each kind of change is shown: by a sign and a word, and by a colour on which white text is readable. */
export const kinds: Readonly<Record<Kind, { sign: string; word: string; color: string }>> = {
  removed: { sign: '−', word: 'removed', color: '#c92a2a' },
  updated: { sign: '~', word: 'updated', color: '#96520a' },
  added: { sign: '+', word: 'added', color: '#2b8a3e' },
};

/** A point that the console can show, stored or in a file. */
export type Point = {
  itemId: string;
  name: string;
  position?: readonly [lat: number, lng: number] | undefined;
};
export type Mark = Point & { kind: Kind; members?: readonly string[] };

/** A list whose preview is shown. */
export type Preview = { list: List; changes: Changes };

/** Returns a function that finds a point: in the file that is previewed, and otherwise among the stored ones. */
export function pointFinder(stored: readonly Place[], list?: List): (itemId: string) => Point | undefined {
  const points = new Map<string, Place>(stored.map((place) => [place.itemId, place]));
  // The service takes the first of several elements with the same itemId.
  for (const element of list?.places.toReversed() ?? []) {
    const place = element as Partial<Place> | null;
    if (typeof place?.itemId === 'string' && place.placeInfo) points.set(place.itemId, place as Place);
  }
  return (itemId) => {
    const place = points.get(itemId);
    return place && { itemId, name: nameOf(place), position: positionOf(place) };
  };
}

/** A file may have anything in the place of coordinates. */
function positionOf({ placeInfo }: Place): Point['position'] {
  const { lat, lng } = (placeInfo.geoPoint ?? {}) as { lat?: unknown; lng?: unknown };
  return Number.isFinite(lat) && Number.isFinite(lng) ? [Number(lat), Number(lng)] : undefined;
}

/** The points that a list changes, those that it removes first. */
export function marksOf(changes: Changes, find: ReturnType<typeof pointFinder>): Mark[] {
  const { removed = [], updated = [], added = [] } = changes;
  const markAt = (itemId: string) => find(itemId) ?? { itemId, name: itemId };
  return [
    ...removed.map((itemId) => ({ ...markAt(itemId), kind: 'removed' as const })),
    ...updated.map(({ itemId, members }) => ({ ...markAt(itemId), kind: 'updated' as const, members })),
    ...added.map((itemId) => ({ ...markAt(itemId), kind: 'added' as const })),
  ];
}
