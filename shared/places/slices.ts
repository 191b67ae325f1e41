import { damagedTexts } from '../validation/damaged-text.ts';
import { formatIssues } from '../validation/format-issues.ts';
import { isNestedWithin } from '../validation/nesting.ts';
import { receivedItemId } from './place.ts';

/**
 * One element of the partner's list: its position, its content, and why it was rejected, if it already is.
 */
export type ListItem = {
  index: number;
  place: unknown;
  rejection?: string | undefined;
  /** The place with the source text of its numbers, once it was validated. */
  asSent?: () => unknown;
};

/** A range of itemIds in UTF-8 byte order: after `after` (exclusive), up to `upTo` (inclusive); absent = open. */
export type ItemRange = { after?: string | undefined; upTo?: string | undefined };

/** `owns` is absent for a slice whose elements have no place in the key range; `json` is of `owns` and `items`. */
export type Slice = { slice: number; owns?: ItemRange; items: ListItem[]; json: Buffer };

/**
 * 500 places a slice, and never more bytes than one queue message takes (1 MiB), even if they do not compress.
 */
const sliceLimit = { places: 500, bytes: 700_000 };
export type SliceLimit = typeof sliceLimit;

/** A longer element cannot be a valid place, which has about 60 kB of JSON at most. */
const maxItemBytes = 64_000;

const between = Buffer.from(',');
const replacement = Buffer.from('\ufffd');

/** A range contains two old boundaries at most, and so about a thousand stored places. */
const maxBoundaries = 2;

/** A point in the key range: an element of the list, or (without `item`) a boundary of the previous list. */
type Mark = { item?: ListItem; json?: Buffer; itemId: string; order: Buffer; bytes: number };
/** `json` is that of the item. Each place is stringified once, and not kept as text: that would be garbage to collect. */
type Entry = Mark & { item: ListItem; json: Buffer };

/**
 * Cuts the list into slices whose ranges together cover the offer's whole key range, so that they can be processed
 * side by side. Sorted as the table sorts: by UTF-8 bytes, not by UTF-16 units. Elements that belong to no range
 * (no usable itemId, or a repeated one) follow in slices without a range. `boundaries` tells where the previous
 * list was cut: a range also ends after two of those, so that a short list after a long one does not leave all
 * removals to one slice.
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
  // The sort is stable: a boundary comes after the element with the same itemId.
  const marks = [...owned, ...boundaries.map(toBoundary)].sort((a, b) => Buffer.compare(a.order, b.order));
  const ranges = cut(marks, limit);
  const owning = ranges.map((range, n) => ({
    owns: rangeBetween(ranges[n - 1]?.at(-1), n === ranges.length - 1 ? undefined : range.at(-1)),
    range,
  }));
  const carrying = loose.length === 0 ? [] : cut(loose, limit).map((range) => ({ range }));
  return [...owning, ...carrying].map(toSlice);
}

/** Where a list was cut, for the next list. */
export function boundariesOf(slices: readonly Pick<Slice, 'owns'>[]): string[] {
  return slices.map(({ owns }) => owns?.upTo).filter((upTo) => upTo !== undefined);
}

function toBoundary(itemId: string): Mark {
  return { itemId, order: Buffer.from(itemId), bytes: 0 };
}

function toSlice({ owns, range }: { owns?: ItemRange; range: Mark[] }, slice: number): Slice {
  const entries = range.filter((mark): mark is Entry => mark.item !== undefined);
  const start = `{${owns ? `"owns":${JSON.stringify(owns)},` : ''}"items":[`;
  const elements = entries.flatMap(({ json }, n) => (n === 0 ? [json] : [between, json]));
  const json = Buffer.concat([Buffer.from(start), ...elements, Buffer.from(']}')]);
  return { slice, ...(owns ? { owns } : {}), items: entries.map(({ item }) => item), json };
}

function toEntry(index: number, place: unknown): Entry {
  const itemId = receivedItemId(place);
  const order = Buffer.from(itemId);
  // An element nested too deeply counts as too long, because no code may recurse into it.
  if (isNestedWithin(place)) {
    const start = `{"index":${index},"place":`;
    const json = Buffer.from(`${start}${JSON.stringify(place)}}`);
    const bytes = json.length - start.length - 1;
    if (bytes <= maxItemBytes) {
      const entry = { item: { index, place }, json, itemId, order, bytes };
      return json.includes(replacement) ? asDamaged(entry) : entry;
    }
  }
  const rejection = `places[${index}]: longer than ${maxItemBytes} bytes or nested too deeply, shown without its content`;
  const item = { index, place: itemId === '' ? {} : { itemId }, rejection };
  return { item, json: jsonOf(item), itemId, order, bytes: 1_000 };
}

function jsonOf(item: ListItem): Buffer {
  return Buffer.from(JSON.stringify(item));
}

function asDamaged(entry: Entry): Entry {
  const { index, place } = entry.item;
  const issues = damagedTexts(entry.json.toString(), place);
  const item = { index, place, rejection: formatIssues({ issues }, `places[${index}]`).join('; ') };
  return { ...entry, item, json: jsonOf(item) };
}

function asRepeat(entry: Entry, seenAt: number): Entry {
  const rejection = `places[${entry.item.index}].itemId: already sent at places[${seenAt}]; the first one counts`;
  const item = { ...entry.item, rejection };
  return { ...entry, item, json: jsonOf(item) };
}

/** Cuts in order; at least one slice, even of an empty list. */
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
