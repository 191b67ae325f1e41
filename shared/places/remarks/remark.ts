import * as z from 'zod/mini';
import { described, named } from '../../platform/validation/documented.ts';

const RemarkSample = named('SyncRemarkSample', {
  itemId: described(z.optional(z.string()), 'Absent when the element has none that can be used'),
  description: z.string(),
});
export type RemarkSample = z.infer<typeof RemarkSample>;

/** Rule 57: what looks wrong in a list. It rejects, changes and delays nothing. */
export const Remark = named(
  'SyncRemark',
  {
    code: described(
      z.string(),
      'COORDINATES_ZERO, COORDINATES_SWAPPED, COORDINATES_SHARED, PLACE_DUPLICATE, ADDRESS_SHORT, ITEM_ID_NOT_IN_PATH: points that were accepted; MEMBER_UNKNOWN: members that were ignored. More codes may be added',
    ),
    count: described(z.int(), 'How many elements of the list it is about'),
    samples: described(z.array(RemarkSample), 'At most 10, first of all one for each thing that is wrong'),
  },
  'Something in the list that looks wrong, and was accepted.',
);
export type Remark = z.infer<typeof Remark>;

export const maxSamples = 10;

type Finding<Point> = {
  /** The points that the samples show first. */
  found: readonly Point[];
  /** How many points the remark is about, if they are more than those found. */
  count?: number;
  member: 'itemId' | 'placeInfo.address' | 'placeInfo.geoPoint';
  /** What is wrong with the member, and what to do. */
  adviceOf: (point: Point) => string;
};

/** A remark about points of a list; none when it is about no point. */
export function remarkAbout<Point extends { itemId: string; index: number }>(
  code: string,
  { found, count = found.length, member, adviceOf }: Finding<Point>,
): Remark[] {
  if (count === 0) return [];
  const samples = found.slice(0, maxSamples).map((point) => ({
    itemId: point.itemId,
    description: `places[${point.index}].${member}: ${adviceOf(point)}`,
  }));
  return [{ code, count, samples }];
}
