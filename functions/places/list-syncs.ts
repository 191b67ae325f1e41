import * as z from 'zod/mini';
import { partnerWithOffer } from '../../shared/partners/callers.ts';
import { SyncCounts } from '../../shared/places/list-plan.ts';
import { SyncStatus, syncSessionStore } from '../../shared/places/sync-session.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { named } from '../../shared/platform/validation/documented.ts';

const ListedSync = named('ListedSync', {
  sessionId: z.string(),
  status: SyncStatus,
  counts: SyncCounts,
  startedAt: z.iso.datetime(),
  dryRun: z.optional(z.literal(true)),
});

export const listSyncsOperation = operation({
  id: 'ListSyncs',
  route: 'GET /places/sync',
  caller: partnerWithOffer(['catalog']),
  response: named('SyncSessions', { sessions: z.array(ListedSync) }),
});

const listed = 20;

/** The newest 20 sessions of an offer, newest first. */
export function listSyncs(deps = httpDeps({ sessions: syncSessionStore })) {
  return httpHandler(listSyncsOperation, deps, async ({ offerId, addFields }) => {
    const sessions = await deps.sessions.newest(offerId, listed, deps.clock.now());
    addFields({ sessions: sessions.length });
    return ok({
      sessions: sessions.map(({ startedAt, dryRun, ...session }) => ({
        ...session,
        startedAt: new Date(startedAt).toISOString(),
        dryRun: dryRun || undefined,
      })),
    });
  });
}
