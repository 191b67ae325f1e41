import { formatIssues } from '../../platform/validation/format-issues.ts';
import { memberKey, unknownMembers } from '../../platform/validation/members/misspelt.ts';
import { receivedItemId, SentPlace } from '../place.ts';
import { maxSamples, type Remark, type RemarkSample } from './remark.ts';

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
