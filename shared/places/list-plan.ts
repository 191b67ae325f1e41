import * as z from 'zod/mini';
import { damagedTexts } from '../platform/validation/damaged-text.ts';
import { described, named } from '../platform/validation/documented.ts';
import { formatIssues, parse } from '../platform/validation/format-issues.ts';
import { withoutNulls } from '../platform/validation/members/null-members.ts';
import { isNestedWithin } from '../platform/validation/nesting.ts';
import { changesShown, type ListChanges, type PlannedChanges } from './list-changes.ts';
import type { SentList } from './list-message.ts';
import { receivedItemId, SentPlace, type StoredPlace, storedPlace } from './place.ts';
import type { Remark } from './remarks/remark.ts';
import { remarkCollector } from './remarks/remark-collector.ts';
import { type Held, type RemovalFacts, removalsHeld } from './removal-guard.ts';

/** A rejected element, as the responses of its session have it. */
export const RejectedElement = named(
  'SyncError',
  {
    place: described(
      z.unknown(),
      'The element as it was sent, {} when the whole list could not be processed',
    ),
    description: z.string(),
  },
  'A service point that was not added or updated, and why.',
);
export type RejectedElement = z.infer<typeof RejectedElement>;

export const SyncCounts = named(
  'SyncCounts',
  {
    received: z.int(),
    added: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    removed: z.int(),
    rejected: z.int(),
    removalsHeld: described(
      z.optional(z.int()),
      'How many points were left in place though the list does not name them: see `warnings`. Absent when none was',
    ),
  },
  'What the session does, in service points: 0 until the list has been compared with what is stored, and from then on what it will report, unless the list fails for good.',
);
export type SyncCounts = z.infer<typeof SyncCounts>;

/** The result of a list, as its session reports it. */
export type ListOutcome = {
  counts: SyncCounts;
  warnings: string[];
  remarks: Remark[];
  rejected: RejectedElement[];
  changes: ListChanges | undefined;
};

export type ListPlan = Omit<ListOutcome, 'changes'> & {
  put: StoredPlace[];
  /** The first points of each kind of change, among those to remove also those that are kept. */
  toShow: PlannedChanges;
  /** The itemIds that the list does not name. They are kept if `counts.removalsHeld` is set. */
  remove: string[];
  /** Why the points to remove are kept, if they are. */
  held: Held['because'] | undefined;
  /** How many points there were before the list. */
  stored: number;
  /** Why our own code could not process an element. Each of these elements is rejected alone. */
  unexpected: unknown[];
};

/**
 * Plans a list: the writes after which the offer has exactly the list's valid points, and the stored points of its
 * rejected elements unchanged, unless removals are held. `storedHashes` (itemId -> content hash) describes all points
 * that are stored now. If the list is processed again after a part of the writes was made, the plan has only the rest.
 */
export function planList(
  list: SentList,
  storedHashes: ReadonlyMap<string, string>,
  guard: Pick<RemovalFacts, 'confirmed' | 'removalPercent' | 'storedBeforeHeld'> & { isFull?: boolean },
): ListPlan {
  const { places } = list;
  const { check, named, remarks } = elementCheck(list);
  const put: StoredPlace[] = [];
  const toShow: PlannedChanges = { added: [], removed: [], updated: [] };
  const rejected: (RejectedElement & { index: number })[] = [];
  const unexpected: unknown[] = [];
  const counts = { received: places.length, added: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 };
  for (const [index, place] of places.entries()) {
    const checked = check(place, index);
    if ('description' in checked) {
      rejected.push({ index, place: checked.place, description: checked.description });
      if ('unexpected' in checked) unexpected.push(checked.unexpected);
      continue;
    }
    const before = storedHashes.get(checked.itemId);
    if (before === checked.hash) counts.unchanged += 1;
    else {
      put.push(checked);
      const change = before === undefined ? 'added' : 'updated';
      counts[change] += 1;
      if (counts[change] > changesShown) continue;
      if (change === 'added') toShow.added.push(checked.itemId);
      else toShow.updated.push(checked);
    }
  }
  counts.rejected = rejected.length;
  const remove = [...storedHashes.keys()].filter((itemId) => !named.has(itemId));
  toShow.removed = remove.slice(0, changesShown);
  const stored = storedHashes.size;
  // Before any element is shown as it was sent: its numbers are no numbers any more.
  const found = remarks();
  const held = removalsHeld({ ...counts, stored, toRemove: remove.length, ...guard });
  if (held && guard.isFull) {
    for (const { itemId } of put.splice(0)) {
      const index = named.get(itemId) ?? 0;
      rejected.push({ index, ...shown(list.asSent(index), noRoom(index)) });
    }
    Object.assign(counts, { added: 0, updated: 0, rejected: rejected.length });
    Object.assign(toShow, { added: [], updated: [] });
    rejected.sort((a, b) => a.index - b.index);
  }
  const plan = {
    put,
    toShow,
    remove,
    remarks: found,
    rejected: rejected.map(({ place, description }) => ({ place, description })),
    unexpected,
    stored,
    held: held?.because,
  };
  return held === undefined
    ? { ...plan, counts: { ...counts, removed: remove.length }, warnings: [] }
    : { ...plan, counts: { ...counts, removalsHeld: remove.length }, warnings: [held.sentence] };
}

function noRoom(index: number): string {
  return `places[${index}]: not stored, because the offer has too many points that its lists do not name; to remove these, send the list again with "confirmRemovals": true`;
}

type Rejection = RejectedElement & { unexpected?: unknown };

/**
 * Checks the elements of a list in their order. `named` has the itemIds of those that were checked, `remarks` returns
 * what looks wrong in them.
 */
function elementCheck({ mayHoldDamage, asSent }: SentList) {
  const named = new Map<string, number>();
  const { see, accept, remarks } = remarkCollector();

  const repeatOf = (itemId: string, index: number): string | undefined => {
    const first = named.get(itemId);
    if (first !== undefined)
      return `places[${index}].itemId: already sent at places[${first}]; the first one counts`;
    if (itemId !== '') named.set(itemId, index);
    return undefined;
  };

  const checkOne = (element: unknown, index: number): StoredPlace | Rejection => {
    see(element, index);
    const parsed = parse(SentPlace, withoutNulls(SentPlace, element));
    const sent = parsed.success ? undefined : asSent(index);
    const repeat = repeatOf(parsed.success ? parsed.data.itemId : receivedItemId(sent), index);
    if (repeat !== undefined) return shown(sent ?? asSent(index), repeat);
    const issues = [
      ...(mayHoldDamage ? damagedTexts(element) : []),
      ...(parsed.success ? [] : parsed.error.issues),
    ];
    if (parsed.success && issues.length === 0) {
      accept(element, parsed.data.itemId, index);
      return storedPlace(parsed.data);
    }
    return shown(sent ?? asSent(index), formatIssues({ issues }, `places[${index}]`).join('; '));
  };

  const check = (element: unknown, index: number): StoredPlace | Rejection => {
    try {
      return checkOne(element, index);
    } catch (error) {
      const itemId = receivedItemId(element);
      repeatOf(itemId, index);
      const description = `places[${index}]: could not be processed, send it again`;
      return { place: withoutContent(itemId), description, unexpected: error };
    }
  };
  return { check, named, remarks };
}

/** An error shows an element with at most this many bytes of JSON. A valid place has at most about 60 kB. */
const maxShownBytes = 64_000;

/** A rejected element as its error shows it. Of one that is very long or deeply nested only the itemId is shown. */
function shown(element: unknown, description: string): RejectedElement {
  if (isNestedWithin(element) && Buffer.byteLength(JSON.stringify(element)) <= maxShownBytes)
    return { place: element, description };
  const why = `longer than ${maxShownBytes} bytes or nested too deeply, shown without its content`;
  return { place: withoutContent(receivedItemId(element)), description: `${description}; ${why}` };
}

function withoutContent(itemId: string) {
  return itemId === '' ? {} : { itemId };
}
