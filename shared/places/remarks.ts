import * as z from 'zod/mini';
import { described, named } from '../platform/validation/documented.ts';
import { formatIssues } from '../platform/validation/format-issues.ts';
import { memberKey, unknownMembers } from '../platform/validation/members/misspelt.ts';
import { receivedItemId, SentPlace } from './place.ts';

const RemarkSample = named('SyncRemarkSample', {
  itemId: described(z.optional(z.string()), 'Absent when the element has none that can be used'),
  description: z.string(),
});
type RemarkSample = z.infer<typeof RemarkSample>;

/** Rule 57: what looks wrong in a list. It rejects, changes and delays nothing. */
export const Remark = named(
  'SyncRemark',
  {
    code: described(z.string(), 'MEMBER_UNKNOWN: members that were ignored. More codes may be added'),
    count: described(z.int(), 'How many elements of the list it is about'),
    samples: described(z.array(RemarkSample), 'At most 10, first of all one for each thing that is wrong'),
  },
  'Something in the list that looks wrong, and was accepted.',
);
export type Remark = z.infer<typeof Remark>;

const maxSamples = 10;

/** Collects the remark about members of elements that are ignored because they are unknown. */
export function unknownMemberRemark() {
  let count = 0;
  const shownMembers = new Set<string>();
  const samples: RemarkSample[] = [];
  /** Further elements with the same members, shown where there are few different ones. */
  const others: RemarkSample[] = [];

  return {
    see: (element: unknown, index: number): void => {
      const issues = unknownMembers(SentPlace, element, maxSamples);
      if (issues.length === 0) return;
      count += 1;
      for (const issue of issues) {
        const member = memberKey(issue);
        const kept = shownMembers.has(member) ? others : samples;
        if (kept.length === maxSamples) continue;
        shownMembers.add(member);
        const [description = ''] = formatIssues({ issues: [issue] }, `places[${index}]`);
        const itemId = receivedItemId(element);
        // A name may hold half of a surrogate pair, or be cut in one, which the table does not store.
        kept.push({ ...(itemId === '' ? {} : { itemId }), description: description.toWellFormed() });
      }
    },

    remarks: (): Remark[] =>
      count === 0
        ? []
        : [{ code: 'MEMBER_UNKNOWN', count, samples: [...samples, ...others].slice(0, maxSamples) }],
  };
}
