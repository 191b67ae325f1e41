import * as z from 'zod/mini';
import { restorer } from '../platform/runtime/json-numbers.ts';
import { mayBeDamaged } from '../platform/validation/damaged-text.ts';

/** The elements of a list as the partner sent it. */
export type SentList = {
  places: readonly unknown[];
  /** An element may hold damaged text. */
  mayHoldDamage: boolean;
  /** An element with the source text of its numbers. */
  asSent: (index: number) => unknown;
};

const Body = z.object({ places: z.array(z.unknown()) });

/** Reads a list from its JSON. The source text of numbers is looked for when it is first needed. */
export function readList(json: string): SentList {
  const { places } = Body.parse(JSON.parse(json));
  let found: { restore: ReturnType<typeof restorer> } | undefined;
  const asSent = (index: number): unknown => {
    found ??= { restore: restorer(json) };
    const place = places[index];
    return found.restore ? found.restore(place, 'places', index) : place;
  };
  return { places, mayHoldDamage: mayBeDamaged(json), asSent };
}
