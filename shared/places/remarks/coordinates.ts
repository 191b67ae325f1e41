import type { PositionedPoint } from './checked-point.ts';
import { distanceM, type Position } from './distance.ts';
import { type Remark, remarkAbout } from './remark.ts';
import { firstOfEachFirst, groupsWithSame } from './same.ts';

const member = 'placeInfo.geoPoint';

/** At 0, 0, in the open sea, lie points that nobody gave coordinates. Degrees. */
const nearZero = 0.001;

/** COORDINATES_ZERO: both within 0.001 of 0, or one exactly 0. */
export function zeroCoordinates(points: readonly PositionedPoint[]): Remark[] {
  return remarkAbout('COORDINATES_ZERO', {
    found: points.filter(isZero),
    member,
    adviceOf: ({ info }) =>
      `${shown(info.geoPoint)} looks like coordinates that nobody set; send the right ones, or leave them out`,
  });
}

function isZero({ info }: PositionedPoint): boolean {
  const { lat, lng } = info.geoPoint;
  return lat === 0 || lng === 0 || (Math.abs(lat) <= nearZero && Math.abs(lng) <= nearZero);
}

/** A median of fewer positions says little about where the points of a list are. */
const positionsForMedian = 10;
const farM = 100_000;
const timesNearer = 5;

/**
 * COORDINATES_SWAPPED: swapped they are at least five times nearer to the list's median, and more than 100 km from it as
 * they are. Coordinates that nobody set do not count for the median.
 */
export function swappedCoordinates(points: readonly PositionedPoint[]): Remark[] {
  const located = points.filter((point) => !isZero(point));
  if (located.length < positionsForMedian) return [];
  const median = {
    lat: medianOf(located, ({ lat }) => lat),
    lng: medianOf(located, ({ lng }) => lng),
  };
  const isSwapped = ({ info: { geoPoint } }: PositionedPoint): boolean => {
    const asSentM = distanceM(geoPoint, median);
    // A latitude is 90 degrees at most.
    if (asSentM <= farM || Math.abs(geoPoint.lng) > 90) return false;
    return distanceM(swapped(geoPoint), median) * timesNearer <= asSentM;
  };
  const kmFromMedian = (position: Position) => `${Math.round(distanceM(position, median) / 1_000)} km`;
  return remarkAbout('COORDINATES_SWAPPED', {
    found: points.filter(isSwapped),
    member,
    adviceOf: ({ info: { geoPoint } }) =>
      `lat and lng look swapped: ${shown(geoPoint)} is ${kmFromMedian(geoPoint)} from the middle of the list, ` +
      `${shown(swapped(geoPoint))} is ${kmFromMedian(swapped(geoPoint))}; send them the other way round`,
  });
}

function swapped({ lat, lng }: Position): Position {
  return { lat: lng, lng: lat };
}

function medianOf(points: readonly PositionedPoint[], degrees: (position: Position) => number): number {
  const values = new Float64Array(points.map(({ info }) => degrees(info.geoPoint)));
  return values.sort()[values.length >> 1] ?? 0;
}

const addressesAtOnePosition = 5;

/** COORDINATES_SHARED: five different addresses or more at exactly the same coordinates. All points there count. */
export function sharedCoordinates(points: readonly PositionedPoint[]): Remark[] {
  const groups = groupsWithSame(points, addressesAtOnePosition, ({ info }) => shown(info.geoPoint)).filter(
    (group) => new Set(group.map(({ addressHash }) => addressHash)).size >= addressesAtOnePosition,
  );
  const found = groups.map((group) => group.map((point) => ({ ...point, others: group.length - 1 })));
  return remarkAbout('COORDINATES_SHARED', {
    found: firstOfEachFirst(found),
    member,
    adviceOf: ({ info, others }) =>
      `${others} other points of the list are at ${shown(info.geoPoint)} too, with other addresses; send where each of them is`,
  });
}

function shown({ lat, lng }: Position): string {
  return `${lat}, ${lng}`;
}
