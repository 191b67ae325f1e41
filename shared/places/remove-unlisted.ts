import type { PlaceStore } from './place-store.ts';
import { decideRemovals, type HeldBecause } from './removal-guard.ts';
import type { RemovalStore } from './removal-store.ts';
import type { SyncSession } from './sync-session.ts';

type Stores = {
  places: Pick<PlaceStore, 'apply'>;
  removals: Pick<RemovalStore, 'begin' | 'planned' | 'saveProgress'>;
};

/** Fewer are removed again from the start when the function dies meanwhile: deleting twice does no harm. */
const savedAfter = 1_000;

/**
 * The last step of a session, when no slice is pending: removes what the list does not name, or holds it back. All
 * that it decides by is final, so a repeat decides the same.
 */
export async function removeUnlisted(
  { places, removals }: Stores,
  ref: { offerId: string; sessionId: string },
  session: SyncSession,
): Promise<{ because: 'remove' | HeldBecause; removed: number }> {
  const { toRemove, begun, removedUpTo, failedSlices } = session.removals;
  const because = begun ? 'remove' : decideRemovals(session.removals);
  if (because !== 'remove') return { because, removed: 0 };
  if (session.dryRun || toRemove === 0) return { because, removed: toRemove };
  if (!begun) await removals.begin(ref);
  let { removed } = session.removals;
  let unsaved = 0;
  for await (const { itemIds, upTo } of removals.planned(ref, { after: removedUpTo, failedSlices })) {
    await places.apply(ref.offerId, { put: [], remove: itemIds });
    removed += itemIds.length;
    unsaved += itemIds.length;
    if (unsaved < savedAfter) continue;
    await removals.saveProgress(ref, removed, upTo);
    unsaved = 0;
  }
  return { because, removed };
}
