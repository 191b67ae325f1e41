import { place } from '../../../integration/places/sync-rig.ts';

/** One element of a list, as the model thinks of it. */
export type Element =
  | { kind: 'good'; itemId: string; name: string }
  | { kind: 'no address'; itemId: string }
  | { kind: 'far too long'; itemId: string }
  | { kind: 'no itemId'; sent: unknown };

/** itemId to name. */
export type Stored = ReadonlyMap<string, string>;

/** A slice that failed for good, and what was stored in its range of ids then. */
export type FailedSlice = { indexes: ReadonlySet<number>; owns: (itemId: string) => boolean; found: Stored };

export type Expected = {
  stored: Stored;
  counts: Record<string, number>;
  /** What GetSync must say of each rejected element, in order: the place, and how the description begins. */
  errors: { place: unknown; description: string }[];
};

export function sentAs(element: Element): unknown {
  switch (element.kind) {
    case 'good':
      return place(element.itemId, element.name);
    case 'no address':
      return { itemId: element.itemId, placeInfo: { name: 'nowhere' } };
    case 'far too long':
      return place(element.itemId, 'x'.repeat(64_100));
    case 'no itemId':
      return element.sent;
  }
}

export type SentList = {
  list: readonly Element[];
  confirmed: boolean;
  failedSlices: readonly FailedSlice[];
  /** The removals failed for good: what was stored then. */
  removalsFailed?: Stored | undefined;
};

/** Rules 10 and 32 by the letter: what a full list makes of what was there before, except for what failed. */
export function afterList(before: Stored, sent: SentList): Expected {
  const { list, failedSlices, removalsFailed } = sent;
  const counts: Record<string, number> = {
    received: list.length,
    added: 0,
    updated: 0,
    unchanged: 0,
    removed: 0,
    rejected: 0,
  };
  const stored = new Map<string, string>();
  const named = new Set<string>();
  const errors = [] as Expected['errors'];
  const lost = (itemId: string) => failedSlices.find(({ owns }) => owns(itemId));

  const keep = (itemId: string) => {
    const kept = before.get(itemId);
    if (kept !== undefined) stored.set(itemId, kept);
  };
  for (const [index, element] of list.entries()) {
    const sent = sentAs(element);
    const itemId = element.kind === 'no itemId' ? undefined : element.itemId;
    const isRepeat = itemId !== undefined && named.has(itemId);
    if (itemId !== undefined) named.add(itemId);
    const fate = failedSlices.some(({ indexes }) => indexes.has(index)) ? 'failed' : element.kind;
    if (fate !== 'good' || isRepeat) {
      errors.push({
        place: element.kind === 'far too long' ? { itemId: element.itemId } : sent,
        description: reasonOf(index, { fate, isRepeat, kind: element.kind }),
      });
      if (itemId !== undefined && !isRepeat) keep(itemId);
    } else if (element.kind === 'good') {
      const old = before.get(element.itemId);
      stored.set(element.itemId, element.name);
      const what = old === undefined ? 'added' : old === element.name ? 'unchanged' : 'updated';
      counts[what] = (counts[what] ?? 0) + 1;
    }
  }
  counts['rejected'] = errors.length;
  const unnamed = [...before.keys()].filter((itemId) => !named.has(itemId) && !lost(itemId));
  const isHeld = removalsFailed !== undefined || mustHold(sent, { before, unnamed, errors });
  if (!isHeld) counts['removed'] = unnamed.length;
  else if (unnamed.length > 0) counts['removalsHeld'] = unnamed.length;
  if (isHeld) for (const itemId of unnamed) if (removalsFailed?.has(itemId) ?? true) keep(itemId);

  // A failed slice has what was found in its range: its tries may have written some of it.
  for (const part of failedSlices) checkStored(before, list, part);
  for (const itemId of [...stored.keys()]) if (lost(itemId)) stored.delete(itemId);
  for (const { found } of failedSlices) for (const [itemId, name] of found) stored.set(itemId, name);
  return { stored, counts, errors };
}

type Found = { before: Stored; unnamed: readonly string[]; errors: readonly unknown[] };

/** Rule 32: nothing but rejected elements; a failed slice, or more than half and at least 20, unconfirmed. */
function mustHold({ list, confirmed, failedSlices }: SentList, { before, unnamed, errors }: Found): boolean {
  if (errors.length === list.length) return true;
  if (confirmed) return false;
  return failedSlices.length > 0 || (unnamed.length >= 20 && unnamed.length > before.size / 2);
}

/** Each point of a failed slice is as it was, or as the list has it. */
function checkStored(before: Stored, list: readonly Element[], { owns, found }: FailedSlice): void {
  const sent = new Map<string, Element>();
  for (const element of list)
    if (element.kind !== 'no itemId' && !sent.has(element.itemId)) sent.set(element.itemId, element);
  for (const itemId of new Set([...before.keys(), ...sent.keys()].filter(owns))) {
    const old = before.get(itemId);
    const element = sent.get(itemId);
    const listed = element === undefined ? undefined : element.kind === 'good' ? element.name : old;
    const now = found.get(itemId);
    if (now !== old && now !== listed) throw new Error(`failed, and neither old nor new: ${itemId} ${now}`);
  }
  for (const itemId of found.keys())
    if (!before.has(itemId) && !sent.has(itemId)) throw new Error(`from nowhere: ${itemId}`);
}

type Verdict = { fate: Element['kind'] | 'failed'; isRepeat: boolean; kind: Element['kind'] };

function reasonOf(index: number, { fate, isRepeat, kind }: Verdict): string {
  if (kind === 'far too long' && !isRepeat) return `places[${index}]: longer than`;
  if (isRepeat) return `places[${index}].itemId: already sent at`;
  if (fate === 'failed') return `places[${index}]: could not be processed, send again`;
  if (kind === 'no address') return `places[${index}].placeInfo.address: required`;
  return `places[${index}]`;
}
