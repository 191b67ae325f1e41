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

/** The names of service points by `itemId`: those of a file that is previewed, and of the stored ones. */
export function pointNames(stored: readonly Place[], list?: Pick<List, 'places'>): Map<string, string> {
  // The service takes the first of several elements with the same itemId.
  const known = [...stored, ...(list?.places.toReversed() ?? [])] as (Partial<Place> | null)[];
  const whole = known.filter((one) => typeof one?.itemId === 'string' && one.placeInfo) as Place[];
  return new Map(whole.map((place) => [place.itemId, nameOf(place)]));
}
