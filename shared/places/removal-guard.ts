import * as z from 'zod/mini';
import { removalGuardKey } from '../platform/table/row-keys/places.ts';
import { createRow, deleteIf, readRow, still, updateExpression, updateIf } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';

/** A list that removes fewer points than this needs no confirmation, whatever their share is. */
const alwaysRemoved = 20;

/** A list that removes every point must be confirmed from this many points on. */
const fewPoints = 5;

/** The share of the stored points, in percent, beyond which removals must be confirmed. */
export const defaultRemovalPercent = 50;

export type RemovalFacts = {
  received: number;
  rejected: number;
  /** Points before the session, and how many of them the list does not name. */
  stored: number;
  toRemove: number;
  /** While removals are held: the points before the first list that held some. */
  storedBeforeHeld: number | undefined;
  confirmed: boolean;
  removalPercent: number;
};

export function isWhollyRejected({
  received,
  rejected,
}: Pick<RemovalFacts, 'received' | 'rejected'>): boolean {
  return received > 0 && rejected === received;
}

/** Why removals are held, and the sentence that tells the partner. */
export type Held = { because: 'all rejected' | 'not confirmed'; sentence: string };

/**
 * Rules 32 and 60: whether the list may remove what it does not name; `undefined` when it may. While removals are held, it
 * is judged against the points before the first list that held some: what that list added must not make what it held
 * look like little.
 */
export function removalsHeld(facts: RemovalFacts): Held | undefined {
  const { received, rejected, toRemove, confirmed, removalPercent } = facts;
  if (toRemove === 0) return undefined;
  const subject =
    toRemove === 1
      ? '1 point that the list does not name was'
      : `${toRemove} points that the list does not name were`;
  if (isWhollyRejected({ received, rejected }))
    return {
      because: 'all rejected',
      sentence: `places: ${subject} not removed, because every element of the list was rejected, which "confirmRemovals" does not change; send them corrected`,
    };
  const stored = Math.min(facts.stored, facts.storedBeforeHeld ?? Number.POSITIVE_INFINITY);
  const isEvery = stored >= fewPoints && toRemove >= stored;
  const isLarge = toRemove >= alwaysRemoved && toRemove * 100 > stored * removalPercent;
  if (confirmed || !(isEvery || isLarge)) return undefined;
  const every = stored < facts.stored ? `at least as many as the ${stored}` : `all ${stored}`;
  const share = isLarge ? `more than ${removalPercent} % of the ${stored}` : every;
  return {
    because: 'not confirmed',
    sentence: `places: ${subject} not removed, because they are ${share} stored before; to remove them, send the list again with "confirmRemovals": true`,
  };
}

const Row = z.object({ storedBeforeHeld: z.int(), isFull: z.optional(z.boolean()) });

/** Points of an offer fill as many pages of 1 MB before lists whose removals are held add and update no more: twice a list. */
export const fullPages = 128;

/**
 * How many points an offer had before the first of the lists whose removals are held, and whether these have filled it
 * since. There is a row only while removals are held.
 */
export function removalGuardStore(table: Table) {
  return {
    find: async (offerId: string): Promise<Partial<z.infer<typeof Row>>> => {
      const row = await readRow(table, removalGuardKey(offerId));
      return row ? Row.parse(row) : {};
    },

    /** Remembers the number, unless an earlier list is remembered. */
    remember: async (offerId: string, stored: number): Promise<void> => {
      await createRow(table, { ...removalGuardKey(offerId), storedBeforeHeld: stored });
    },

    /** The list that has filled the offer is applied: it must not be planned differently when it comes back. */
    markFull: async (offerId: string): Promise<void> => {
      const change = updateExpression({ set: { isFull: true } });
      const ConditionExpression = 'attribute_exists(pk)';
      await updateIf(table, { Key: removalGuardKey(offerId), ...change, ConditionExpression });
    },

    /** A delete that is made late does not forget what the next list remembers, unless that is the same number. */
    clear: async (offerId: string, storedBeforeHeld: number): Promise<void> => {
      await deleteIf(table, { Key: removalGuardKey(offerId), ...still({ storedBeforeHeld }) });
    },
  };
}
