import type { CheckedPoint } from './checked-point.ts';
import { haveNeighbours } from './distance.ts';
import { type Remark, remarkAbout } from './remark.ts';
import { firstOfEachFirst, groupsWithSame } from './same.ts';

/**
 * PLACE_DUPLICATE: another point has the same name, type and normal address, and is at most 75 m away where both have
 * coordinates.
 */
export function duplicates(points: readonly CheckedPoint[]): Remark[] {
  const groups = groupsWithSame(points, 2, ({ info: { name, type }, addressHash }) =>
    JSON.stringify([name ?? '', type ?? '', addressHash]),
  ).map(nearOthers);
  const count = groups.reduce((sum, { length }) => sum + length, 0);
  // The first of a group may stay: the others are shown, and name it.
  const found = groups.map(([first, ...others]) =>
    others.map((point) => ({ ...point, first: first?.index })),
  );
  return remarkAbout('PLACE_DUPLICATE', {
    found: firstOfEachFirst(found),
    count,
    member: 'placeInfo.address',
    adviceOf: ({ first }) =>
      `places[${first}] has the same name, type and address; leave one of them out, or give them different names`,
  });
}

/** A point without coordinates may be at those of any other. */
function nearOthers(group: readonly CheckedPoint[]): readonly CheckedPoint[] {
  const positions = group.flatMap(({ info }) => info.geoPoint ?? []);
  if (positions.length < group.length) return group;
  const isNear = haveNeighbours(positions);
  return group.filter((_, at) => isNear[at]);
}
