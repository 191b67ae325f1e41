import { type CheckedPoint, checkedPoint, hasPosition } from './checked-point.ts';
import { sharedCoordinates, swappedCoordinates, zeroCoordinates } from './coordinates.ts';
import { duplicates } from './duplicates.ts';
import { type Remark, remarkAbout } from './remark.ts';
import { unknownMemberRemark } from './unknown-members.ts';

/** Fewer letters or digits are no address that anybody finds. */
const lettersOfAddress = 5;

/** A path cannot carry `?` and `#`; programs resolve `.` and `..`; blanks at the ends and control characters get lost. */
const notInPath = /[?#\p{Cc}]|^\.{1,2}$|^\s|\s$/u;

/**
 * Rule 57: collects what looks wrong in a list, in one pass: `see` takes every element as it was sent, `accept` those
 * that passed the check, under the itemId that they are stored with.
 */
export function remarkCollector() {
  const unknownMembers = unknownMemberRemark();
  const points: CheckedPoint[] = [];
  return {
    see: unknownMembers.see,

    accept: (element: unknown, itemId: string, index: number): void => {
      points.push(checkedPoint(element, itemId, index));
    },

    remarks: (): Remark[] => {
      const positioned = points.filter(hasPosition);
      return [
        ...zeroCoordinates(positioned),
        ...swappedCoordinates(positioned),
        ...sharedCoordinates(positioned),
        ...duplicates(points),
        ...remarkAbout('ADDRESS_SHORT', {
          found: points.filter(({ addressLength }) => addressLength < lettersOfAddress),
          member: 'placeInfo.address',
          adviceOf: () => `has fewer than ${lettersOfAddress} letters or digits; send the whole address`,
        }),
        ...remarkAbout('ITEM_ID_NOT_IN_PATH', {
          found: points.filter(({ itemId }) => notInPath.test(itemId)),
          member: 'itemId',
          adviceOf: () =>
            'cannot be a part of a path; read its check-ins at /partner/api/place/-/checkins?placeId=, or send another itemId',
        }),
        ...unknownMembers.remarks(),
      ];
    },
  };
}
