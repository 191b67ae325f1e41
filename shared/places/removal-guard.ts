/** A list that removes fewer points than this needs no confirmation, whatever their share is. */
const alwaysRemoved = 20;

/** The share of the stored points, in percent, beyond which removals must be confirmed. */
export const defaultRemovalPercent = 50;

export type RemovalFacts = {
  received: number;
  rejected: number;
  /** Points before the session, and how many of them the list does not name. */
  stored: number;
  toRemove: number;
  confirmed: boolean;
  removalPercent: number;
};

/** Rule 32: the sentence why the list may not remove what it does not name; `undefined` when it may. */
export function removalsBlocked(facts: RemovalFacts): string | undefined {
  const { received, rejected, stored, toRemove, confirmed, removalPercent } = facts;
  if (toRemove === 0) return undefined;
  const subject =
    toRemove === 1
      ? '1 point that the list does not name was'
      : `${toRemove} points that the list does not name were`;
  if (rejected >= received)
    return `places: ${subject} not removed, because every element of the list was rejected, which "confirmRemovals" does not change; send them corrected`;
  const isLarge = toRemove >= alwaysRemoved && toRemove * 100 > stored * removalPercent;
  if (confirmed || !isLarge) return undefined;
  return `places: ${subject} not removed, because they are more than ${removalPercent} % of the ${stored} stored before; to remove them, send the list again with "confirmRemovals": true`;
}
