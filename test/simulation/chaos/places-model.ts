import type { PlaceList } from './place-lists.ts';

/** What the model knows of a session that took effect, in part or as a whole. */
export type SessionEnd =
  /** FINISHED, with the position of each rejected place and why; `held`: points may be left that it does not name. */
  | { readonly kind: 'finished'; readonly errors: ReadonlyMap<number, string>; readonly held: boolean }
  /** No response named it: each of its parts took effect or did not. */
  | { readonly kind: 'unknown' };

const absent = '(absent)';

function isGivenUp(description: string): boolean {
  return description.includes('could not be processed');
}

/**
 * The service points of an offer as rules 10 to 12 say, a plain map from id to the names it may have now. Lists
 * must be applied in the order in which they were accepted.
 */
export function createPlacesModel() {
  let state = new Map<string, ReadonlySet<string>>();
  const possible = (itemId: string): ReadonlySet<string> => state.get(itemId) ?? new Set([absent]);

  return {
    apply: ({ places }: PlaceList, end: SessionEnd): void => {
      const next = new Map<string, ReadonlySet<string>>();
      const named = new Set(places.map(({ itemId }) => itemId));
      const givenUp = end.kind === 'finished' && (end.held || [...end.errors.values()].some(isGivenUp));
      for (const [itemId, names] of state) {
        // Points of a part that was given up stay, and no response says where a part begins and ends.
        if (!named.has(itemId)) {
          next.set(itemId, new Set([absent, ...(givenUp || end.kind === 'unknown' ? names : [])]));
        }
      }
      for (const [index, { itemId, name, flaw }] of places.entries()) {
        if (flaw === 'repeated') continue;
        const before = possible(itemId);
        const rejected = flaw !== undefined || (end.kind === 'finished' && end.errors.has(index));
        if (rejected) next.set(itemId, before);
        else next.set(itemId, new Set(end.kind === 'unknown' ? [name, ...before] : [name]));
      }
      state = next;
    },

    /** Ids whose stored value is not allowed; the model continues from what is stored. */
    differences: (stored: ReadonlyMap<string, string>): string[] => {
      const ids = new Set([...state.keys(), ...stored.keys()]);
      const wrong = [...ids].sort().flatMap((itemId) => {
        const found = stored.get(itemId) ?? absent;
        const allowed = possible(itemId);
        return allowed.has(found)
          ? []
          : [`${itemId}: "${found}" instead of "${[...allowed].join('" or "')}"`];
      });
      state = new Map([...stored].map(([itemId, name]) => [itemId, new Set([name])]));
      return wrong;
    },
  };
}

/** What is wrong with the errors of a finished session: flaws not reported, and reported places without a flaw. */
export function wrongErrors({ places, marker }: PlaceList, errors: ReadonlyMap<number, string>): string[] {
  return [
    ...places.flatMap(({ flaw, itemId }, index) =>
      flaw && !errors.has(index) ? [`${marker}: ${itemId} (${flaw}) was not rejected`] : [],
    ),
    ...[...errors].flatMap(([index, description]) =>
      places[index]?.flaw || isGivenUp(description) ? [] : [`${marker}: ${description}`],
    ),
  ];
}

export function givenUpCount(errors: ReadonlyMap<number, string>): number {
  return [...errors.values()].filter(isGivenUp).length;
}
