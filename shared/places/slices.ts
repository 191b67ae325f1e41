import { isNestedWithin } from '../validation/nesting.ts';
import { receivedItemId } from './place.ts';

/** One element of the partner's list: where it stood, what it was, and why it was rejected, if it already is. */
export type ListItem = { index: number; place: unknown; rejection?: string | undefined };

/** A range of itemIds in UTF-8 byte order: after `after` (exclusive), up to `upTo` (inclusive); absent = open. */
export type ItemRange = { after?: string | undefined; upTo?: string | undefined };

/** `owns` is absent for a slice that only carries elements without a place of their own in the key range. */
export type Slice = { slice: number; owns?: ItemRange; items: ListItem[] };

/** ~500 places a slice, and never more bytes than one queue message takes (1 MiB), however badly they gzip. */
const sliceLimit = { places: 500, bytes: 700_000 };
export type SliceLimit = typeof sliceLimit;

/** A longer element cannot be a place within its limits (about 60 kB as JSON at the very most). */
const maxItemBytes = 64_000;

/** Old boundaries a range may hold, so about a thousand stored places. */
const maxBoundaries = 2;

/** A point in the key range: an element of the list, or (without `item`) a boundary of the list before. */
type Mark = { item?: ListItem; itemId: string; order: Buffer; bytes: number };
type Entry = Mark & { item: ListItem };

/**
 * Cuts the list into slices whose ranges together own the offer's whole key range, so that they can be worked
 * off side by side. Sorted as the table sorts: by UTF-8 bytes, not by UTF-16 units. Elements that no range can
 * hold (no usable itemId, or one already seen) follow in slices that own nothing.
 *
 * `boundaries` says where the list before was cut: a range is also cut after two of those, so that a short list
 * after a long one does not leave all removals to one slice.
 */
export function cutIntoSlices(
  places: readonly unknown[],
  boundaries: readonly string[] = [],
  limit = sliceLimit,
): Slice[] {
  const firstSeenAt = new Map<string, number>();
  const owned: Entry[] = [];
  const loose: Entry[] = [];
  for (const [index, place] of places.entries()) {
    const entry = toEntry(index, place);
    const seenAt = firstSeenAt.get(entry.itemId);
    if (entry.itemId === '') loose.push(entry);
    else if (seenAt !== undefined) loose.push(asRepeat(entry, seenAt));
    else {
      firstSeenAt.set(entry.itemId, index);
      owned.push(entry);
    }
  }
  // The sort is stable: a boundary stands behind the element of the same itemId.
  const marks = [...owned, ...boundaries.map(toBoundary)].sort((a, b) => Buffer.compare(a.order, b.order));
  const ranges = cut(marks, limit);
  const owning = ranges.map((range, n) => ({
    owns: rangeBetween(ranges[n - 1]?.at(-1), n === ranges.length - 1 ? undefined : range.at(-1)),
    items: itemsOf(range),
  }));
  const carrying = loose.length === 0 ? [] : cut(loose, limit).map((range) => ({ items: itemsOf(range) }));
  return [...owning, ...carrying].map((slice, n) => ({ slice: n, ...slice }));
}

/** Where a list was cut, for the list after it. */
export function boundariesOf(slices: readonly Slice[]): string[] {
  return slices.map(({ owns }) => owns?.upTo).filter((upTo) => upTo !== undefined);
}

function toBoundary(itemId: string): Mark {
  return { itemId, order: Buffer.from(itemId), bytes: 0 };
}

function itemsOf(marks: readonly Mark[]): ListItem[] {
  return marks.map(({ item }) => item).filter((item) => item !== undefined);
}

function toEntry(index: number, place: unknown): Entry {
  const itemId = receivedItemId(place);
  const order = Buffer.from(itemId);
  const bytes = jsonBytes(place);
  if (bytes <= maxItemBytes) return { item: { index, place }, itemId, order, bytes };
  const rejection = `places[${index}]: longer than ${maxItemBytes} bytes or nested too deeply, shown without its content`;
  return { item: { index, place: itemId === '' ? {} : { itemId }, rejection }, itemId, order, bytes: 1_000 };
}

/** What is nested too deeply is as good as too long: nothing of ours may recurse into it. */
function jsonBytes(place: unknown): number {
  return isNestedWithin(place) ? Buffer.byteLength(JSON.stringify(place)) : Number.POSITIVE_INFINITY;
}

function asRepeat(entry: Entry, seenAt: number): Entry {
  return {
    ...entry,
    item: {
      ...entry.item,
      rejection: `places[${entry.item.index}].itemId: already sent at places[${seenAt}]; the first one counts`,
    },
  };
}

/** Cuts in order, at least one slice, also of nothing. */
function cut(marks: readonly Mark[], limit: SliceLimit): Mark[][] {
  let range: Mark[] = [];
  const ranges = [range];
  let places = 0;
  let bytes = 0;
  let boundaries = 0;
  for (const mark of marks) {
    const full = mark.item
      ? places >= limit.places || bytes + mark.bytes > limit.bytes
      : boundaries >= maxBoundaries;
    if (full && range.length > 0) {
      range = [];
      ranges.push(range);
      places = 0;
      bytes = 0;
      boundaries = 0;
    }
    range.push(mark);
    bytes += mark.bytes;
    if (mark.item) places += 1;
    else boundaries += 1;
  }
  return ranges;
}

function rangeBetween(before: Mark | undefined, last: Mark | undefined): ItemRange {
  return {
    ...(before ? { after: before.itemId } : {}),
    ...(last ? { upTo: last.itemId } : {}),
  };
}
