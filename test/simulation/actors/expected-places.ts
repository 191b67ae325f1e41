import { isDeepStrictEqual } from 'node:util';
import type { SyncCounts } from '../../../shared/places/list-plan.ts';
import { PlaceInfo } from '../../../shared/places/place.ts';

export type Element = {
  itemId: string | undefined;
  place: unknown;
  /** The beginning of the error's description, and the place that the error shows. */
  rejected?: { begins: string; place: unknown };
};

export type PlaceList = {
  elements: readonly Element[];
  dryRun: boolean;
  confirmed: boolean;
};

/** The response to GetSync. */
export type Session = {
  status: string;
  counts: SyncCounts;
  errors: readonly { place: unknown; description: string }[];
  warnings?: readonly string[];
  changes?: object;
  dryRun?: true;
};

export const absent = '';

const notProcessed = 'places: the list could not be processed';

/** Maps each itemId to the places that may be stored under it, as JSON: several if no response tells which. */
export type Possible = ReadonlyMap<string, readonly string[]>;

/**
 * An offer between two lists. `beforeHeld` is the number of points before the first of the lists whose removals are held;
 * unknown after a list that was given up.
 */
export type OfferState = {
  possible: Possible;
  beforeHeld?: number | 'unknown' | undefined;
};

/** Returns a pattern of the warning that rules 32 and 60 require of a processed list; empty if points may be removed. */
function warningOf(
  { elements, confirmed }: PlaceList,
  counts: Record<'stored' | 'storedNow' | 'gone' | 'rejected', number>,
) {
  const { stored, storedNow, gone, rejected } = counts;
  if (gone > 0 && rejected === elements.length) return /every element of the list was rejected/;
  if (confirmed) return /^$/;
  if (gone >= 20 && gone * 2 > stored)
    return new RegExp(`more than 50 % of the ${stored} stored before.*"confirmRemovals": true`);
  const every = stored < storedNow ? 'at least as many as the' : 'all';
  return stored >= 5 && gone >= stored ? new RegExp(`${every} ${stored} stored before`) : /^$/;
}

/** Returns the counts of a list that has not been compared yet, or that was given up. */
export function noneOf(received: number): SyncCounts {
  return { received, added: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 };
}

/** Applies rules 10, 12, 32 and 60 literally: what a finished session leaves, and what it reports wrongly. */
export function judgeSession(
  { possible: before, beforeHeld }: OfferState,
  list: PlaceList,
  session: Session,
) {
  const { elements } = list;
  const { status, counts, errors, warnings = [], dryRun = false } = session;
  const givenUp = status !== 'FINISHED' || errors[0]?.description.startsWith(notProcessed) === true;
  const sum = { received: elements.length, rejected: 0, added: 0, updated: 0, unchanged: 0 };
  const after = new Map<string, readonly string[]>();
  for (const { itemId = '', place, rejected } of elements) {
    const old = before.get(itemId) ?? [absent];
    const sent = JSON.stringify(place);
    if (rejected) {
      sum.rejected += 1;
      after.set(itemId, after.get(itemId) ?? old);
    } else {
      sum[old.includes(absent) ? 'added' : old.includes(sent) ? 'unchanged' : 'updated'] += 1;
      after.set(itemId, givenUp ? [...old, sent] : [sent]);
    }
  }
  const count = (of: Iterable<readonly string[]>) => [...of].filter((one) => !one.includes(absent)).length;
  const unnamed = new Map([...before].filter(([itemId]) => !after.has(itemId)));
  const storedNow = count(before.values());
  const stored = Math.min(storedNow, typeof beforeHeld === 'number' ? beforeHeld : storedNow);
  const gone = count(unnamed.values());
  const warning = warningOf(list, { stored, storedNow, gone, rejected: sum.rejected });
  const stay = warning.test('') ? 0 : gone;
  // How far a list got that was given up is known only from the next list.
  const isCertain = beforeHeld !== 'unknown' && [...before.values()].every((some) => some.length === 1);
  for (const [itemId, old] of unnamed) {
    if (givenUp) after.set(itemId, isCertain && stay > 0 ? old : [...old, absent]);
    else if (counts.removalsHeld) after.set(itemId, old);
  }

  const wrong: string[] = [];
  if (status === 'FINISHED' && givenUp) {
    const isAlone = errors.length === 1 && JSON.stringify(errors[0]?.place) === '{}' && warnings.length === 0;
    if (!isAlone || !isDeepStrictEqual(counts, noneOf(elements.length)))
      wrong.push(`given up with ${JSON.stringify({ counts, errors, warnings })}`);
  }
  if (!givenUp && isCertain) {
    const expected = { ...sum, removed: gone - stay, ...(stay > 0 ? { removalsHeld: stay } : {}) };
    if (!isDeepStrictEqual(counts, expected)) wrong.push(`counts are ${JSON.stringify([counts, expected])}`);
    if (!warning.test(warnings.join())) wrong.push(`warnings are ${JSON.stringify(warnings)}`);
  }
  const rejections = elements.flatMap(({ rejected }) => rejected ?? []);
  const fits = rejections.every(({ begins, place }, n) => {
    const error = errors[n];
    return error?.description.startsWith(begins) && JSON.stringify(error.place) === JSON.stringify(place);
  });
  if (!givenUp && !(fits && errors.length === rejections.length))
    wrong.push(`errors are ${JSON.stringify(errors)}`);
  const { added, updated, unchanged, rejected } = counts;
  if (!givenUp && added + updated + unchanged + rejected !== elements.length)
    wrong.push(`${JSON.stringify(counts)} are not all elements`);
  if (counts.received !== elements.length || dryRun !== list.dryRun) wrong.push('it is of another list');
  if (list.dryRun) return { after: { possible: before, beforeHeld }, wrong, givenUp };
  const isWhollyRejected = sum.rejected === elements.length;
  const heldAfter = () => {
    if (givenUp)
      return isCertain && stay === 0 && beforeHeld === undefined ? undefined : ('unknown' as const);
    if (isWhollyRejected) return beforeHeld;
    if (!counts.removalsHeld) return undefined;
    return beforeHeld ?? storedNow;
  };
  return { after: { possible: after, beforeHeld: heldAfter() }, wrong, givenUp };
}

/** Rule 57 names this many points of each kind of change. */
const named = 100;

type Info = Readonly<Record<string, unknown>>;

function infoOf(json: string): Info {
  return (JSON.parse(json) as { placeInfo: Info }).placeInfo;
}

/** Returns what a list changes in an offer that has exactly the points of `before`. */
function changesOf({ elements }: PlaceList, before: ReadonlyMap<string, string>) {
  const valid = elements.filter((one): one is Element & { itemId: string } => !one.rejected && !!one.itemId);
  const kept = new Set(elements.map(({ itemId }) => itemId));
  const added = valid.filter(({ itemId }) => !before.has(itemId)).map(({ itemId }) => itemId);
  const updated = valid.flatMap(({ itemId, place }) => {
    const old = before.get(itemId);
    const sent = JSON.stringify(place);
    if (old === undefined || old === sent) return [];
    const [was, is] = [infoOf(old), infoOf(sent)];
    const names = Object.keys(PlaceInfo.shape);
    return [{ itemId, members: names.filter((name) => !isDeepStrictEqual(was[name], is[name])) }];
  });
  const removed = [...before.keys()]
    .filter((itemId) => !kept.has(itemId))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const all = { added, removed, updated };
  const some = Object.entries(all).flatMap(([kind, points]) =>
    points.length > 0 ? [[kind, points.slice(0, named)] as const] : [],
  );
  return some.length > 0 ? Object.fromEntries(some) : undefined;
}

/**
 * Rule 57: the changes of a session follow from its list and the points before it, whether it was a dry run and however
 * often its list was processed. Returns what is wrong; nothing is known where several points may be stored.
 */
export function wrongChanges(before: Possible, list: PlaceList, { changes }: Session): string[] {
  if ([...before.values()].some((some) => some.length > 1)) return [];
  const stored = new Map(
    [...before].flatMap(([id, [json = absent]]) => (json === absent ? [] : [[id, json]])),
  );
  const expected = changesOf(list, stored);
  return isDeepStrictEqual(changes, expected) ? [] : [`changes are ${JSON.stringify([changes, expected])}`];
}
