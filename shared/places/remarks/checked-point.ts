import { hash } from 'node:crypto';
import type { Place } from '../place.ts';
import type { Position } from './distance.ts';
import { normalAddress } from './normal-address.ts';

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
  /** It is that of the normal address, of which 100,000 would take too much memory. */
  addressHash: string;
  /** Letters and digits of the address. */
  addressLength: number;
};
export type PositionedPoint = CheckedPoint & { info: { geoPoint: Position } };

export function checkedPoint(element: unknown, itemId: string, index: number): CheckedPoint {
  const { placeInfo: info } = element as Element;
  const address = normalAddress(info.address);
  const addressLength = [...address.replaceAll(' ', '')].length;
  return { index, itemId, info, addressHash: hash('sha256', address), addressLength };
}

export function hasPosition(point: CheckedPoint): point is PositionedPoint {
  return !!point.info.geoPoint;
}
