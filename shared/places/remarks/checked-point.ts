import type { Place } from '../place.ts';
import type { Position } from './distance.ts';
import { measureAddress } from './normal-address.ts';

type Info = Place['placeInfo'];
/** An element that passed the check, as it was sent: its optional members may be null. */
type Element = {
  placeInfo: Pick<Info, 'address'> & { [Name in 'name' | 'type' | 'geoPoint']?: Info[Name] | null };
};

/** What the remarks compare of a point. */
export type CheckedPoint = {
  index: number;
  itemId: string;
  info: Element['placeInfo'];
  /** The same number for addresses with the same normal text. */
  addressHash: number;
  /** Letters and digits of the address. */
  addressLength: number;
};
export type PositionedPoint = CheckedPoint & { info: { geoPoint: Position } };

export function checkedPoint(element: unknown, itemId: string, index: number): CheckedPoint {
  const { placeInfo: info } = element as Element;
  const { hash, letters } = measureAddress(info.address);
  return { index, itemId, info, addressHash: hash, addressLength: letters };
}

export function hasPosition(point: CheckedPoint): point is PositionedPoint {
  return !!point.info.geoPoint;
}
