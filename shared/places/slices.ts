import { sentItemId } from './place.ts';

/** One element of the partner's list: where it stood, what it was, and why it was rejected, if it already is. */
export type ListItem = { index: number; place: unknown; rejection?: string | undefined };

/** A range of itemIds in UTF-8 byte order: after `after` (exclusive), up to `upTo` (inclusive); absent = open. */
export type ItemRange = { after?: string | undefined; upTo?: string | undefined };

/** `owns` is absent for a slice that only carries elements without a place of their own in the key range. */
export type Slice = { slice: number; owns?: ItemRange; items: ListItem[] };

/** ~500 places a slice, and never more bytes than one queue message takes (1 MiB), however badly they gzip. */
export const sliceLimit = { places: 500, bytes: 700_000 };

/** A longer element cannot be a place within its limits (about 60 kB as JSON at the very most). */
const maxItemBytes = 64_000;

type Entry = { item: ListItem; itemId: string; order: Buffer; bytes: number };

/**
 * Cuts the list into slices whose ranges together own the offer's whole key range, so that they can be worked
 * off side by side. Sorted as the table sorts: by UTF-8 bytes, not by UTF-16 units. Elements that no range can
 * hold (no usable itemId, or one already seen) follow in slices that own nothing.
 */
export const cutIntoSlices = (places: readonly unknown[], limit = sliceLimit): Slice[] => {
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
  owned.sort((a, b) => Buffer.compare(a.order, b.order));
  const ranges = cut(owned, limit);
  const owning = ranges.map((entries, n) => ({
    owns: rangeBetween(ranges[n - 1]?.at(-1), n === ranges.length - 1 ? undefined : entries.at(-1)),
    items: entries.map(({ item }) => item),
  }));
  const carrying =
    loose.length === 0
      ? []
      : cut(loose, limit).map((entries) => ({ items: entries.map(({ item }) => item) }));
  return [...owning, ...carrying].map((slice, n) => ({ slice: n, ...slice }));
};

const toEntry = (index: number, place: unknown): Entry => {
  const itemId = sentItemId(place);
  const order = Buffer.from(itemId);
  const bytes = jsonBytes(place);
  if (bytes <= maxItemBytes) return { item: { index, place }, itemId, order, bytes };
  const rejection = `places[${index}]: longer than ${maxItemBytes} bytes or nested too deeply, shown without its content`;
  return { item: { index, place: itemId === '' ? {} : { itemId }, rejection }, itemId, order, bytes: 1_000 };
};

/** JSON.stringify recurses: an element nested too deeply for it is as good as one that is too long. */
const jsonBytes = (place: unknown): number => {
  try {
    return Buffer.byteLength(JSON.stringify(place));
  } catch (error) {
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
};

const asRepeat = (entry: Entry, seenAt: number): Entry => ({
  ...entry,
  item: {
    ...entry.item,
    rejection: `places[${entry.item.index}].itemId: already sent at places[${seenAt}]; the first one counts`,
  },
});

/** Cuts in order, at least one slice, also of nothing. */
const cut = (entries: readonly Entry[], limit: typeof sliceLimit): Entry[][] => {
  const slices: Entry[][] = [[]];
  let bytes = 0;
  for (const entry of entries) {
    const last = slices.at(-1) ?? [];
    if (last.length > 0 && (last.length >= limit.places || bytes + entry.bytes > limit.bytes)) {
      slices.push([entry]);
      bytes = entry.bytes;
    } else {
      last.push(entry);
      bytes += entry.bytes;
    }
  }
  return slices;
};

const rangeBetween = (before: Entry | undefined, last: Entry | undefined): ItemRange => ({
  ...(before ? { after: before.itemId } : {}),
  ...(last ? { upTo: last.itemId } : {}),
});
