import * as z from 'zod/mini';
import { partnerWithOffer } from '../../shared/partners/callers.ts';
import { ListChanges } from '../../shared/places/list-changes.ts';
import { RejectedElement, SyncCounts } from '../../shared/places/list-plan.ts';
import { Remark } from '../../shared/places/remarks/remark.ts';
import { SyncStatus, syncSessionStore } from '../../shared/places/sync-session.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { text } from '../../shared/platform/validation/text.ts';

export const getSyncOperation = operation({
  id: 'GetSync',
  contractId: 'A2',
  route: 'GET /places/sync/{sessionId}',
  caller: partnerWithOffer(['catalog']),
  // Ours are in lower case, and some programs write UUIDs in upper case.
  path: z.object({ sessionId: text(1, 64).check(z.toLowerCase()) }),
  response: named('SyncSession', {
    sessionId: z.string(),
    status: SyncStatus,
    errors: described(z.array(RejectedElement), 'Empty while PROCESSING'),
    errorsOmitted: described(
      z.optional(z.int()),
      'How many more errors there were than a response can hold; send those items corrected, the next session names the rest',
    ),
    counts: SyncCounts,
    warnings: described(z.optional(z.array(z.string())), 'There when points were not removed, and why'),
    remarks: described(
      z.array(Remark),
      'What was accepted and looks wrong, such as swapped coordinates; empty until the list has been compared',
    ),
    changes: described(z.optional(ListChanges), 'Absent while PROCESSING, and when nothing changes'),
    dryRun: described(z.optional(z.literal(true)), 'There when nothing was written'),
  }),
  failures: ['SESSION_NOT_FOUND', 'REQUEST_LIMIT_EXCEEDED'],
});

/** A poll that reads more errors than this is a heavy request. */
const fewErrors = 100;
/** A poll counts once for each started so many characters of errors, because they are sent. */
const charactersOfRequest = 500_000;

/** A2: the progress of a session, and the errors of the items it rejected. */
export function getSync(deps = httpDeps({ sessions: syncSessionStore })) {
  return httpHandler(getSyncOperation, deps, async (call) => {
    const { offerId, path, takeFrom, addFields } = call;
    const { sessionId } = path;
    // Other texts may be anything, a phone number for example.
    if (z.uuid().safeParse(sessionId).success) addFields({ sessionId });
    const session = await deps.sessions.find({ offerId, sessionId }, deps.clock.now());
    if (!session) return fail('SESSION_NOT_FOUND', `sessionId: ${sessionId} is not a session of this offer`);
    const { status, failed, counts, warnings, remarks, dryRun, storedErrors, hasChanges } = session;
    addFields({ sessionId, status });
    const optional = { warnings: warnings.length > 0 ? warnings : undefined, dryRun: dryRun || undefined };
    const common = { sessionId, counts, remarks, ...optional };
    if (status === 'PROCESSING') return ok({ ...common, status, errors: [] }, { 'retry-after': '2' });
    if (failed) return ok({ ...common, status, errors: [notProcessed] });
    // Few errors may be long: a row has up to 350 kB of them.
    const isHeavy = counts.rejected > fewErrors || storedErrors.rows > 1;
    const overBudget = isHeavy ? await takeFrom('heavy') : undefined;
    if (overBudget) return overBudget;
    const omitted = counts.rejected - storedErrors.count;
    const body = { ...common, status, errors: [], ...(omitted > 0 ? { errorsOmitted: omitted } : {}) };
    const [rejectedText, changesText] = await Promise.all([
      storedErrors.rows > 0 ? deps.sessions.rejectedText({ offerId, sessionId }, storedErrors.rows) : '[]',
      hasChanges ? deps.sessions.changesText({ offerId, sessionId }) : undefined,
    ]);
    // They have been read, so they are shown, and do not count further if that does not fit.
    await takeFrom('heavy', Math.ceil(rejectedText.length / charactersOfRequest) - 1);
    return { ok: body, texts: { errors: rejectedText, ...(changesText && { changes: changesText }) } };
  });
}

const notProcessed = {
  place: {},
  description:
    'places: the list could not be processed, and a part of it may have been applied; send it again',
};
