import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import type { ActingKey } from '../../shared/partners/key-rules.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { errorName } from '../../shared/platform/logging/error-name.ts';
import { connectQueue, sendAll } from '../../shared/platform/queues/queue.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';
import { cancellationsOf } from '../../shared/push/deadlines/cancellation-message.ts';
import { releaseStore } from '../../shared/push/deadlines/release-store.ts';
import { messageNow } from '../../shared/push/deadlines/sweep-sends.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { handedOverAt } from '../../shared/push/hand-over.ts';
import { isSingle, MessageId, messageFields, unknownMessage } from '../../shared/push/message-id.ts';
import { messageReader } from '../../shared/push/message-reader.ts';
import type { BulkSend, Send, StoredMessage } from '../../shared/push/message-rows.ts';
import { budgetToCancel } from '../../shared/push/sending/bulk-send.ts';

const CancelledPart = z.enum(['message', 'send']);

export const cancelPushOperation = operation({
  id: 'CancelPush',
  route: 'POST /push/{messageId}/cancel',
  caller: partner(['messages']),
  path: z.object({ messageId: MessageId }),
  body: named('CancelPushRequest', {
    of: described(CancelledPart, 'This message alone (as ten requests, if planned), or all of its send'),
  }),
  response: named('CancelledPush', {
    messageId: z.uuid(),
    of: CancelledPart,
    recipients: described(z.int(), 'Registered recipients of what is taken back, whatever their states'),
  }),
  failures: ['ROLE_FORBIDDEN', 'MESSAGE_NOT_FOUND', 'REQUEST_LIMIT_EXCEEDED'],
});

type Deps = ReturnType<typeof connect>;
type Cancelling = { requestId: string; key: ActingKey; addFields: (fields: Record<string, unknown>) => void };

/** Takes back what nobody has opened of a message or a whole send, before its release or after it. A repeat does the same. */
export function cancelPush(deps = connect()) {
  return liveKeyHandler(cancelPushOperation, deps, async (call) => {
    const { partnerId, body, addFields } = call;
    const { messageId } = call.path;
    addFields({ ...messageFields(messageId), of: body.of });
    const nowMs = deps.clock.now();
    const target =
      body.of === 'send'
        ? await deps.messages.sendOfMessage(messageId, nowMs)
        : (await deps.messages.findMany([messageId], nowMs)).get(messageId);
    if (target?.partnerId !== partnerId) return unknownMessage(messageId);
    const overBudget = await call.takeFrom(...budgetToCancel(target));
    if (overBudget) return overBudget;
    const recipients =
      'bulkId' in target ? await cancelSend(deps, call, target) : await cancelMessage(deps, call, target);
    if (recipients === undefined) return unknownMessage(messageId);
    addFields({ recipients });
    return ok({ messageId, of: body.of, recipients });
  });
}

/** The worker does the rest: it hears of it at once or, if that message is lost, from the next run of SweepDue. */
async function cancelSend(deps: Deps, call: Cancelling, send: BulkSend) {
  if (send.cancelledAt === undefined) {
    const decided = await deps.releases.cancelSend(send, cancellingOf(deps, call, send));
    if (!decided.applied && !decided.send) return undefined;
    try {
      if (decided.applied) await sendAll(deps.deadlinesQueue, [messageNow(send)]);
    } catch (error) {
      call.addFields({ waitsForSweep: errorName(error) });
    }
  }
  if (send.registeredCount !== undefined) return send.registeredCount;
  return (await deps.messages.readRecipients(send)).filter(({ registered }) => registered).length;
}

async function cancelMessage(deps: Deps, call: Cancelling, message: StoredMessage) {
  if (!message.registered) return 0;
  let send: Send | undefined = message;
  if (handedOverAt(message) === undefined && message.cancelledAt === undefined) {
    const decided = await deps.releases.cancelMessage(message, cancellingOf(deps, call, message));
    if (decided.applied) return 1;
    send = decided.send;
  }
  if (!send) return undefined;
  const isBulk = !isSingle(message.messageId);
  // A send that was taken back before its release is no more there, and one that was asked back is not asked back again.
  const isDone = handedOverAt(send) === undefined || (isBulk && send.cancelledAt !== undefined);
  if (!isDone) await askBack(deps, call, message);
  return 1;
}

async function askBack({ states, cancellations }: Deps, { requestId }: Cancelling, message: StoredMessage) {
  const { messageId, partnerId } = message;
  const reached = (await states.find(message)).states.map(({ state }) => state);
  if (reached.includes('OPENED') || reached.includes('CANCELLED')) return;
  await sendAll(cancellations, cancellationsOf({ partnerId, requestId, messageIds: [messageId] }));
}

/** Instances' clocks differ: a send is never cancelled before it was accepted. */
function cancellingOf({ clock }: Deps, call: Cancelling, { acceptedAt }: { acceptedAt: number }) {
  return { requestId: call.requestId, by: call.key.login, atMs: Math.max(clock.now(), acceptedAt) };
}

function connect() {
  const stores = {
    messages: messageReader,
    states: deliveryStateStore,
    releases: releaseStore,
    keys: liveKeys,
  };
  const cancellations = connectQueue(readEnv('CANCELLATIONS_QUEUE_URL'));
  return { ...httpDeps(stores), cancellations, deadlinesQueue: connectQueue(readEnv('DEADLINES_QUEUE_URL')) };
}
