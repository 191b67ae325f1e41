import type { ResponseTo } from '../../api/operations.ts';
import type { Place } from '../../api/use-places.ts';
import { nameOf } from '../../parts/places.ts';
import type { List } from './read-list.ts';

export type Session = ResponseTo<'GET /places/sync/{sessionId}'>;
type Listed = ResponseTo<'GET /places/sync'>['sessions'][number];

/** The session of the newest list that may have changed the stored points, `none`, or undefined until that is known. */
export function newestOf(sessions: readonly Listed[] | undefined): string | undefined {
  return (
    sessions && (sessions.find(({ status, dryRun }) => status === 'FINISHED' && !dryRun)?.sessionId ?? 'none')
  );
}

/** A mark says what a list does to a point, by a sign, a colour and a word: not everybody sees the colour. */
type Mark = { sign: string; color: string; word: string };

const marks = {
  removed: { sign: '−', color: 'red', word: 'removed' },
  /** A removal that waits for its confirmation. */
  held: { sign: '−', color: 'red', word: 'not in the list' },
  updated: { sign: '~', color: 'orange', word: 'updated' },
  added: { sign: '+', color: 'green', word: 'added' },
  /** Far from the colour of an update, also for those who see few colours. */
  remarked: { sign: '!', color: 'grape', word: 'looks wrong' },
} satisfies Record<string, Mark>;

/** A service point as the console shows it. Without a position it is on no map. */
export type Point = {
  itemId: string;
  name: string;
  position?: readonly [lat: number, lng: number] | undefined;
  mark?: Mark;
};

export type Change = Point & { mark: Mark; members: readonly string[] };

export function pointOf(place: Place): Point {
  // A file may have anything in the place of coordinates.
  const { lat, lng }: { lat?: unknown; lng?: unknown } = place.placeInfo.geoPoint ?? {};
  const position = [lat, lng].every(Number.isFinite) ? ([Number(lat), Number(lng)] as const) : undefined;
  return { itemId: place.itemId, name: nameOf(place), position };
}

/** Returns a function that finds a point: in the file that is previewed, or among the stored ones. */
export function pointFinder(
  stored: readonly Place[],
  list?: Pick<List, 'places'>,
): (itemId: string) => Point {
  // The service takes the first of several elements with the same itemId.
  const known = [...stored, ...(list?.places.toReversed() ?? [])] as (Partial<Place> | null)[];
  const whole = known.filter((one) => typeof one?.itemId === 'string' && one.placeInfo) as Place[];
  const byId = new Map(whole.map((place) => [place.itemId, place]));
  return (itemId) => {
    const place = byId.get(itemId);
    return place ? pointOf(place) : { itemId, name: itemId };
  };
}

/** The points that a list changes, those that it removes first. */
export function changesOf({ changes, counts }: Session, find: (itemId: string) => Point): Change[] {
  const { removed = [], updated = [], added = [] } = changes ?? {};
  const removal = counts.removalsHeld ? marks.held : marks.removed;
  return [
    ...removed.map((itemId) => ({ ...find(itemId), members: [], mark: removal })),
    ...updated.map(({ itemId, members }) => ({ ...find(itemId), members, mark: marks.updated })),
    ...added.map((itemId) => ({ ...find(itemId), members: [], mark: marks.added })),
  ];
}

/** The points about which the service has a remark, but that the list does not change. */
export function remarkedIn({ remarks, changes }: Session, find: (itemId: string) => Point): Point[] {
  const { updated = [], added = [] } = changes ?? {};
  const changed = new Set([...added, ...updated.map(({ itemId }) => itemId)]);
  const remarked = new Set(remarks.flatMap(({ samples }) => samples.flatMap(({ itemId }) => itemId ?? [])));
  return [...remarked]
    .filter((itemId) => !changed.has(itemId))
    .map((itemId) => ({ ...find(itemId), mark: marks.remarked }));
}
