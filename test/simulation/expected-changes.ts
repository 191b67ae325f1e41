import { isDeepStrictEqual } from 'node:util';
import { PlaceInfo } from '../../shared/places/place.ts';
import {
  absent,
  type Element,
  type PlaceList,
  type Possible,
  type Session,
} from './actors/expected-places.ts';

/** Rule 57 names this many points of each kind of change. */
const named = 100;

type Info = Readonly<Record<string, unknown>>;

function infoOf(json: string): Info {
  return (JSON.parse(json) as { placeInfo: Info }).placeInfo;
}

/** Returns what a list changes in an offer that has exactly the points of `before`. */
function changesOf({ elements }: PlaceList, before: ReadonlyMap<string, string>) {
  const valid = elements.filter((one): one is Element & { itemId: string } => !one.rejected && !!one.itemId);
  const kept = new Set(elements.map(({ itemId }) => itemId));
  const added = valid.filter(({ itemId }) => !before.has(itemId)).map(({ itemId }) => itemId);
  const updated = valid.flatMap(({ itemId, place }) => {
    const old = before.get(itemId);
    const sent = JSON.stringify(place);
    if (old === undefined || old === sent) return [];
    const [was, is] = [infoOf(old), infoOf(sent)];
    const names = Object.keys(PlaceInfo.shape);
    return [{ itemId, members: names.filter((name) => !isDeepStrictEqual(was[name], is[name])) }];
  });
  const removed = [...before.keys()]
    .filter((itemId) => !kept.has(itemId))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const all = { added, removed, updated };
  const some = Object.entries(all).flatMap(([kind, points]) =>
    points.length > 0 ? [[kind, points.slice(0, named)] as const] : [],
  );
  return some.length > 0 ? Object.fromEntries(some) : undefined;
}

/**
 * Rule 57: the changes of a session follow from its list and the points before it, whether it was a dry run and however
 * often its list was processed. Returns what is wrong; nothing is known where several points may be stored.
 */
export function wrongChanges(before: Possible, list: PlaceList, { changes }: Session): string[] {
  if ([...before.values()].some((some) => some.length > 1)) return [];
  const stored = new Map(
    [...before].flatMap(([id, [json = absent]]) => (json === absent ? [] : [[id, json]])),
  );
  const expected = changesOf(list, stored);
  return isDeepStrictEqual(changes, expected) ? [] : [`changes are ${JSON.stringify([changes, expected])}`];
}
