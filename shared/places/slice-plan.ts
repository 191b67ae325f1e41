import * as z from 'zod/mini';
import { formatIssues, parse } from '../validation/format-issues.ts';
import { type Place, receivedItemId, SentPlace, type StoredPlace, storedPlace } from './place.ts';
import type { ListItem } from './slices.ts';

const count = z._default(z.int(), 0);

export const SliceCounts = z.object({
  added: count,
  updated: count,
  unchanged: count,
  rejected: count,
  /** Service points in the slice's range before its session, and how many of them the list does not name. */
  stored: count,
  toRemove: count,
});
export type SliceCounts = z.infer<typeof SliceCounts>;

export const noCounts: SliceCounts = {
  added: 0,
  updated: 0,
  unchanged: 0,
  rejected: 0,
  stored: 0,
  toRemove: 0,
};

export const RejectedItem = z.object({ index: z.int(), place: z.unknown(), description: z.string() });
export type RejectedItem = z.infer<typeof RejectedItem>;

export type SliceResult = { counts: SliceCounts; rejected: RejectedItem[] };

export type SlicePlan = SliceResult & {
  put: StoredPlace[];
  /** itemIds, for the last step of the session */
  remove: string[];
};

/**
 * The writes and removals after which the slice's range contains exactly its valid items, and the rows of rejected
 * items as they were. `storedHashes` (itemId -> content hash) is everything stored in the range now.
 */
export function planSlice(items: readonly ListItem[], storedHashes: ReadonlyMap<string, string>): SlicePlan {
  const rejected: RejectedItem[] = [];
  const put: StoredPlace[] = [];
  const stays = new Set<string>();
  const counts = { ...noCounts, stored: storedHashes.size };
  for (const item of items) {
    const checked = checkItem(item);
    stays.add(checked.itemId);
    if ('description' in checked) {
      rejected.push({ index: item.index, place: sentPlace(item), description: checked.description });
      continue;
    }
    const stored = storedPlace(checked.place);
    const before = storedHashes.get(checked.itemId);
    if (before === stored.hash) counts.unchanged += 1;
    else {
      counts[before === undefined ? 'added' : 'updated'] += 1;
      put.push(stored);
    }
  }
  const remove = [...storedHashes.keys()].filter((itemId) => !stays.has(itemId));
  return {
    put,
    remove,
    rejected,
    counts: { ...counts, toRemove: remove.length, rejected: rejected.length },
  };
}

/** The result of a slice that could not be processed: each of its items is an error, its stored rows stay. */
export function failSlice(items: readonly ListItem[]): SliceResult {
  return {
    counts: { ...noCounts, rejected: items.length },
    rejected: items.map((item) => ({
      index: item.index,
      place: sentPlace(item),
      description: item.rejection ?? `places[${item.index}]: could not be processed, send again`,
    })),
  };
}

function sentPlace({ place, asSent }: ListItem): unknown {
  return asSent ? asSent() : place;
}

/** A slice without known items; `rejected`: how many elements of the list are lost with the slice, as far as is known. */
export function lostSlice(slice: number, why: string, rejected: number): SliceResult {
  return {
    counts: { ...noCounts, rejected },
    rejected: [
      {
        index: 0,
        place: {},
        description: `places: part ${slice + 1} of the list ${why}, send the list again`,
      },
    ],
  };
}

function checkItem(
  item: ListItem,
): { itemId: string; place: Place } | { itemId: string; description: string } {
  if (item.rejection !== undefined)
    return { itemId: receivedItemId(item.place), description: item.rejection };
  const parsed = parse(SentPlace, item.place);
  if (parsed.success) return { itemId: parsed.data.itemId, place: parsed.data };
  return {
    itemId: receivedItemId(item.place),
    description: formatIssues(parsed.error, `places[${item.index}]`).join('; '),
  };
}
