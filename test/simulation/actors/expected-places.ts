import type { SyncCounts } from '../../../shared/places/sync-session.ts';

/** One element of a list. `place` is what is stored when it is valid. */
export type Element =
  | { readonly kind: 'good'; readonly itemId: string; readonly place: unknown }
  | { readonly kind: 'no address' | 'too long'; readonly itemId: string; readonly place: unknown }
  | { readonly kind: 'no itemId'; readonly place: unknown };

export interface PlaceList {
  readonly elements: readonly Element[];
  readonly dryRun: boolean;
  readonly confirmed: boolean;
}

/** What GetSync says of a finished session. */
export interface SessionEnd {
  readonly counts: SyncCounts;
  readonly errors: readonly { readonly place: unknown; readonly description: string }[];
  readonly warnings: readonly string[];
  readonly dryRun: boolean;
}

export const absent = '';

/** itemId -> what may be stored under it, as JSON; more than one where no answer says which. */
export type Possible = ReadonlyMap<string, ReadonlySet<string>>;

interface Judgement {
  readonly after: Possible;
  readonly wrong: readonly string[];
}

const givenUpElement = /^places\[(\d+)\]: could not be processed, send again$/;
const givenUpPart = /^places: part \d+ of the list could not be processed, send the list again$/;
/** The steps of the session reached the dead-letter queue. */
const givenUpWarning = /part of the list could not be processed|could not be completed|was interrupted/;

/** Rule 32, with nothing given up: whether points that a list does not name stay, and why. */
function heldBecause(
  { elements, confirmed }: PlaceList,
  { stored, unnamed, rejected }: { stored: number; unnamed: number; rejected: number },
): RegExp | undefined {
  if (unnamed === 0) return undefined;
  if (rejected === elements.length) return /every element of the list was rejected/;
  if (confirmed || unnamed < 20 || unnamed * 2 <= stored) return undefined;
  return new RegExp(`more than 50 % of the ${stored} stored before.*"confirmRemovals": true`);
}

/** How the description of each element that must be rejected begins, and the positions of the others. */
function rejectionsOf(elements: readonly Element[]) {
  const firsts = new Map<string, number>();
  const begins = elements.map((element, index): string | undefined => {
    const at = `places[${index}]`;
    if (element.kind === 'no itemId') return at;
    const seenAt = firsts.get(element.itemId);
    if (seenAt !== undefined) return `${at}.itemId: already sent at places[${seenAt}];`;
    firsts.set(element.itemId, index);
    if (element.kind === 'too long') return `${at}: longer than`;
    return element.kind === 'no address' ? `${at}.placeInfo.address: required` : undefined;
  });
  return { firsts, begins };
}

/** What is wrong with the errors, and the positions of what was given up. */
function judgeErrors(
  { elements }: PlaceList,
  { errors }: SessionEnd,
  begins: readonly (string | undefined)[],
) {
  const ofElements = errors.filter(({ description }) => !givenUpPart.test(description));
  const givenUp = new Set(
    ofElements.flatMap(({ description }) => {
      const index = givenUpElement.exec(description)?.[1];
      return index === undefined ? [] : [Number(index)];
    }),
  );
  const expected = elements.flatMap(({ kind, place, ...rest }, index) => {
    const begin = givenUp.has(index) ? `places[${index}]: could not be processed` : begins[index];
    if (begin === undefined) return [];
    const { itemId } = rest as { itemId?: string };
    return [{ begin, place: JSON.stringify(kind === 'too long' ? { itemId } : place) }];
  });
  const wrong = expected.flatMap(({ begin, place }, n) => {
    const error = ofElements[n];
    return error?.description.startsWith(begin) && JSON.stringify(error.place) === place
      ? []
      : [`error ${n} is ${JSON.stringify(error)} instead of "${begin}"`];
  });
  if (ofElements.length > expected.length)
    wrong.push(`${ofElements.length - expected.length} errors too many`);
  return { givenUp, lostParts: errors.length - ofElements.length, rejected: expected.length, wrong };
}

function union(one: ReadonlySet<string>, other: string): ReadonlySet<string> {
  return new Set([...one, other]);
}

const never: ReadonlySet<string> = new Set([absent]);

/** A list of which nothing tells how far it got, and which never came to its removals. */
export function afterPartOf(before: Possible, { elements, dryRun }: PlaceList): Possible {
  const after = new Map(before);
  if (dryRun) return after;
  for (const [itemId, index] of rejectionsOf(elements).firsts) {
    const { kind, place } = elements[index] as Element;
    if (kind === 'good') after.set(itemId, union(before.get(itemId) ?? never, JSON.stringify(place)));
  }
  return after;
}

/** Rules 10, 12 and 32 by the letter: what a finished session makes of what was there before, and must say. */
export function judgeSession(
  before: Possible,
  list: PlaceList,
  end: SessionEnd,
): Judgement & { givenUp: boolean } {
  const { elements, confirmed, dryRun } = list;
  const { counts, warnings } = end;
  const { firsts, begins } = rejectionsOf(elements);
  const { givenUp, lostParts, rejected, wrong } = judgeErrors(list, end, begins);
  const { removed, removalsHeld = 0 } = counts;
  const slicesGivenUp =
    givenUp.size + lostParts > 0 || warnings.some((text) => text.includes('could not be processed'));
  const anyGivenUp = slicesGivenUp || warnings.some((text) => givenUpWarning.test(text));
  const interrupted = warnings.some((text) => text.includes('was interrupted'));

  const found = { added: 0, updated: 0, unchanged: 0 };
  const after = new Map<string, ReadonlySet<string>>();
  for (const [itemId, index] of firsts) {
    const { kind, place } = elements[index] as Element;
    const old = before.get(itemId) ?? never;
    const sent = JSON.stringify(place);
    if (kind !== 'good') after.set(itemId, old);
    else if (givenUp.has(index)) after.set(itemId, union(old, sent));
    else {
      after.set(itemId, new Set([sent]));
      found[old.has(absent) ? 'added' : old.has(sent) ? 'unchanged' : 'updated'] += 1;
    }
  }
  const unnamed = [...before].filter(([itemId]) => !firsts.has(itemId));
  for (const [itemId, old] of unnamed) {
    // Of an interrupted removal, the count is behind what was removed.
    if (removed === 0 && !interrupted && (removalsHeld > 0 || anyGivenUp)) after.set(itemId, old);
    else if (anyGivenUp) after.set(itemId, union(old, absent));
  }

  const isCertain = [...before.values()].every((some) => some.size === 1);
  if (isCertain && !anyGivenUp) {
    const stored = [...before.values()].filter((some) => !some.has(absent)).length;
    const gone = unnamed.filter(([, some]) => !some.has(absent)).length;
    const held = heldBecause(list, { stored, unnamed: gone, rejected });
    const removals = held ? { removed: 0, removalsHeld: gone } : { removed: gone };
    const expected = { received: elements.length, ...found, rejected, ...removals };
    for (const name of new Set([...Object.keys(expected), ...Object.keys(counts)])) {
      const wanted = (expected as Record<string, number>)[name];
      const given = (counts as Record<string, number>)[name];
      if (given !== wanted) wrong.push(`counts.${name} is ${given} instead of ${wanted}`);
    }
    const fits = held ? warnings.length === 1 && held.test(warnings[0] ?? '') : warnings.length === 0;
    if (!fits) wrong.push(`warnings are ${JSON.stringify(warnings)}`);
  } else {
    const { received, added, updated, unchanged } = counts;
    const valid = elements.length - rejected;
    if (received !== elements.length || counts.rejected !== rejected || added + updated + unchanged !== valid)
      wrong.push(`counts ${JSON.stringify(counts)} do not add up to ${valid} valid of ${elements.length}`);
    if (slicesGivenUp && !confirmed && !interrupted && removed > 0)
      wrong.push(`${removed} points are removed, though a part of the list was given up`);
    if (removalsHeld > 0 !== warnings.length > 0) wrong.push(`warnings are ${JSON.stringify(warnings)}`);
  }
  if (end.dryRun !== dryRun) wrong.push(`dryRun is ${end.dryRun}`);
  return { after: dryRun ? before : after, wrong, givenUp: anyGivenUp };
}
