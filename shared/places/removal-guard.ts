/** A list that removes fewer points than this is never held back for its share. */
const alwaysRemoved = 20;

/** The share of the stored points, in percent, beyond which removals must be confirmed. */
export const defaultRemovalPercent = 50;

/** What the whole session found, once no slice is pending: it never changes after that. */
export type RemovalFacts = {
  received: number;
  rejected: number;
  /** Points before the session, and how many of them the list does not name. */
  stored: number;
  toRemove: number;
  failed: number;
  confirmed: boolean;
  removalPercent: number;
};

export type HeldBecause = 'share' | 'failed slices' | 'all rejected' | 'not done' | 'interrupted';

/** Whether a list may remove what it does not name (rule 32), or why not. */
export function decideRemovals(facts: RemovalFacts): 'remove' | HeldBecause {
  if (facts.toRemove === 0) return 'remove';
  if (facts.rejected >= facts.received) return 'all rejected';
  if (facts.confirmed) return 'remove';
  if (facts.failed > 0) return 'failed slices';
  const many = facts.toRemove >= alwaysRemoved && facts.toRemove * 100 > facts.stored * facts.removalPercent;
  return many ? 'share' : 'remove';
}

type Held = { held: number; stored: number; removalPercent: number };

/** The sentence for the partner: how many points were held back, why, and what to do. */
export function heldWarning(because: HeldBecause, { held, stored, removalPercent }: Held): string {
  const subject =
    held === 1
      ? '1 point that the list does not name was'
      : `${held} points that the list does not name were`;
  switch (because) {
    case 'share':
      return `places: ${subject} not removed, because they are more than ${removalPercent} % of the ${stored} stored before; to remove them, send the list again with "confirmRemovals": true`;
    case 'failed slices':
      return `places: ${subject} not removed, because a part of the list could not be processed; send the list again, or with "confirmRemovals": true to remove even if a part fails`;
    case 'all rejected':
      return `places: ${subject} not removed, because every element of the list was rejected, which "confirmRemovals" does not change; send them corrected`;
    case 'not done':
      return `places: ${subject} not removed, because the removal could not be completed; send the list again, with "confirmRemovals": true if it removes more than ${removalPercent} %`;
    case 'interrupted':
      return `places: the removal of ${held} points that the list does not name was interrupted, and some of them are left; send the list again, with "confirmRemovals": true if it removes more than ${removalPercent} %`;
  }
}
