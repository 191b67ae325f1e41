import { isDeepStrictEqual } from 'node:util';
import type { SyncCounts } from '../../../shared/places/sync-session.ts';

export interface Element {
  readonly itemId: string | undefined;
  readonly place: unknown;
  /** How the description of its error begins, and the place in that error. */
  readonly rejected?: { readonly begins: string; readonly place: unknown };
}

export interface PlaceList {
  readonly elements: readonly Element[];
  readonly dryRun: boolean;
  readonly confirmed: boolean;
}

/** What GetSync answers. */
export interface Session {
  readonly status: string;
  readonly counts: SyncCounts;
  readonly errors: readonly { readonly place: unknown; readonly description: string }[];
  readonly warnings?: readonly string[];
  readonly dryRun?: true;
}

export const absent = '';

/** itemId -> what may be stored under it, as JSON; more than one where no answer says which. */
export type Possible = ReadonlyMap<string, readonly string[]>;

/** Rule 32, with nothing given up: the warning when points that a list does not name stay. */
function warningOf(
  { elements, confirmed }: PlaceList,
  counts: Record<'stored' | 'gone' | 'rejected', number>,
) {
  const { stored, gone, rejected } = counts;
  if (gone > 0 && rejected === elements.length) return /every element of the list was rejected/;
  if (confirmed || gone < 20 || gone * 2 <= stored) return /^$/;
  return new RegExp(`more than 50 % of the ${stored} stored before.*"confirmRemovals": true`);
}

/** Rules 10, 12 and 32 by the letter: what a finished session makes of what was there before, and must say. */
export function judgeSession(before: Possible, list: PlaceList, session: Session) {
  const { elements } = list;
  const { status, counts, errors, warnings = [], dryRun = false } = session;
  const texts = [...warnings, ...errors.map(({ description }) => description)];
  const givenUp = status !== 'FINISHED' || texts.some((text) => /could not be|was interrupted/.test(text));
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
  const stored = count(before.values());
  const gone = count(unnamed.values());
  const warning = warningOf(list, { stored, gone, rejected: sum.rejected });
  const stay = warning.test('') ? 0 : gone;
  // Without a part of the list nothing is removed unless that was confirmed.
  const mayRemove = list.confirmed || !errors.some(({ description }) => /could not be/.test(description));
  for (const [itemId, old] of givenUp || counts.removalsHeld ? unnamed : [])
    after.set(itemId, givenUp && mayRemove ? [...old, absent] : old);

  const wrong: string[] = [];
  // Of what was given up, only the next list says how far it got.
  if (!givenUp && [...before.values()].every((some) => some.length === 1)) {
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
  if (status === 'FINISHED' && added + updated + unchanged + rejected !== elements.length)
    wrong.push(`${JSON.stringify(counts)} are not all elements`);
  if (counts.received !== elements.length || dryRun !== list.dryRun) wrong.push('it is of another list');
  return { after: list.dryRun ? before : after, wrong, givenUp };
}
