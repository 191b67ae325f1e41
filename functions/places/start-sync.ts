import * as z from 'zod/mini';
import { partnerWithOffer } from '../../shared/partners/callers.ts';
import { type AcceptedList, listContentStore, queueMessage } from '../../shared/places/list-message.ts';
import { defaultRemovalPercent } from '../../shared/places/removal-guard.ts';
import { syncSessionStore } from '../../shared/places/sync-session.ts';
import { fail, failWithRetryAfter } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { connectQueue, NotAllSent, sendAll } from '../../shared/platform/queues/queue.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { uuidFrom, withTime } from '../../shared/platform/runtime/ids.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';

const maxPlaces = 100_000;

/**
 * A FIFO queue looks for groups among its first 120,000 messages only: without a limit, the lists of one offer could keep
 * those of all others waiting.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/avoid-backlog-with-the-same-message-group-id.html
 */
const maxWaiting = 20;

export const startSyncOperation = operation({
  id: 'StartSync',
  contractId: 'A1',
  route: 'POST /places/sync',
  caller: partnerWithOffer(['catalog']),
  budget: 'heavy',
  body: named('StartSyncRequest', {
    places: described(
      z.array(z.unknown().register(z.globalRegistry, { $ref: '#/components/schemas/Place' })),
      'All service points; none of them only with confirmRemovals',
    ),
    dryRun: z._default(z.boolean(), false),
    confirmRemovals: described(
      z._default(z.boolean(), false),
      'Remove what the list does not name, also if that is more than half of the points',
    ),
  }).check(
    z.refine(({ places, confirmRemovals }) => places.length > 0 || confirmRemovals, {
      path: ['places'],
      message:
        'must have at least 1 element; to remove all service points, send none with "confirmRemovals": true',
    }),
  ),
  bodyLimit: { gunzippedBytes: 64_000_000 },
  rejectsElements: true,
  response: named('StartedSync', { sessionId: z.string() }),
  failures: ['BODY_TOO_LARGE', 'REQUEST_LIMIT_EXCEEDED', 'SYNC_UNAVAILABLE'],
});

/** A1: accepts a full list of service points, as one message. Its elements are looked at when it is processed. */
export function startSync(deps = connect()) {
  return httpHandler(startSyncOperation, deps, async (call) => {
    const acceptedAt = deps.clock.now();
    const { partnerId, offerId, key, requestId, body, sentBody, limits, addFields, addMetrics } = call;
    const { operationToken, operationBeganAt = acceptedAt } = call;
    const received = body.places.length;
    if (received > maxPlaces)
      return fail('BODY_TOO_LARGE', `places: ${received} elements, the limit is ${maxPlaces}`);
    if (await deps.sessions.areWaiting(offerId, maxWaiting, acceptedAt)) {
      addFields({ budget: 'waiting lists' });
      addMetrics({ OverBudget: 1 });
      return tooManyWaiting;
    }
    const list: AcceptedList = {
      partnerId,
      offerId,
      // A repetition has the session of the request that died, whose list may have been processed since.
      sessionId: operationToken
        ? withTime(uuidFrom(operationToken), operationBeganAt)
        : deps.ids.uuidAt(acceptedAt),
      requestId,
      login: key.login,
      acceptedAt,
      received,
      dryRun: body.dryRun,
      confirmed: body.confirmRemovals,
      removalPercent: limits.removalPercent ?? defaultRemovalPercent,
    };
    addFields({ sessionId: list.sessionId, received });
    const content = await deps.contents.pack(list, sentBody, acceptedAt);
    try {
      await sendAll(deps.queue, [queueMessage({ ...list, content })]);
    } catch (error) {
      if (!(error instanceof NotAllSent)) throw error;
      // A failure of ours, for the alarms and the rule that rolls back, though the partner learns when to try again.
      const { cause } = error;
      addFields({ notTaken: cause instanceof Error ? cause.name : cause, status: '500', partnerId });
      addMetrics({ Failed: 1 });
      return notTaken;
    }
    // After the message: a session without one would never end. The worker begins the session if it is faster.
    await deps.sessions.begin(list);
    addMetrics({ SessionsStarted: 1 });
    return ok({ sessionId: list.sessionId });
  });
}

const tooManyWaiting = failWithRetryAfter(
  'REQUEST_LIMIT_EXCEEDED',
  30,
  `places: ${maxWaiting} lists of this offer are waiting, send this one again when one of them is FINISHED`,
);

const notTaken = failWithRetryAfter(
  'SYNC_UNAVAILABLE',
  30,
  'places: the list could not be taken as a whole, send it again',
);

function connect() {
  const queue = connectQueue(readEnv('PLACES_QUEUE_URL'));
  return { ...httpDeps({ contents: listContentStore, sessions: syncSessionStore }), queue };
}
