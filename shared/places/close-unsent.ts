import type { Clock } from '../runtime/clock.ts';
import type { SessionRef } from './slice-message.ts';
import { failSlice } from './slice-plan.ts';
import type { Slice } from './slices.ts';
import type { SyncSessionStore } from './sync-session-store.ts';

type Deps = { sessions: Pick<SyncSessionStore, 'finishSlice' | 'endRemovals'>; clock: Clock };

/**
 * A session that was not accepted must end too, so that it does not stay PROCESSING: its unsent slices become errors,
 * and it removes nothing.
 */
export async function closeUnsent(
  { sessions, clock }: Deps,
  session: SessionRef,
  unsent: readonly Slice[],
): Promise<void> {
  for (const { slice, items } of unsent) {
    const result = { ...failSlice(items), failed: true };
    await sessions.finishSlice(session, slice, result, clock.now());
  }
  await sessions.endRemovals(session, { because: 'not done', removed: 0 });
}
