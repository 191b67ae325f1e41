import { parkedStore, parkMessage } from '../../shared/platform/queues/parked-store.ts';
import { queueWorker, readBody } from '../../shared/platform/queues/queue-worker.ts';
import { minutes } from '../../shared/platform/runtime/clock.ts';
import { inParallel } from '../../shared/platform/runtime/in-parallel.ts';
import { tableDeps } from '../../shared/platform/table/table-deps.ts';
import { deadlineOf } from '../../shared/push/deadlines/deadline.ts';
import { type Deadline, deadlineStore } from '../../shared/push/deadlines/deadline-store.ts';
import { graceMs, PassedSends } from '../../shared/push/deadlines/passed-sends.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { isSingle, sendIdOf } from '../../shared/push/message-id.ts';
import { messageStore } from '../../shared/push/message-store.ts';

type Deps = ReturnType<typeof connect>;

/** A request has a deadline before it has its send. No request takes longer than this to store both. */
const acceptingMs = minutes(5);
const deadlinesAtOnce = 16;

/**
 * Ends the messages of sends whose deadline has passed: those that were neither delivered nor opened become EXPIRED, each
 * once. A send with later deadlines moves on to the next. Every step can be repeated.
 */
export function expireMessages(deps = connect()) {
  return queueWorker('ExpireMessages', async ({ record, work }) => {
    const message = readBody(PassedSends, record.body);
    const nowMs = deps.clock.now();
    if (!message)
      return parkMessage(deps, work, { queue: 'deadlines', record, reason: 'not {"sendIds": [...]}' });
    // A deadline that an earlier message has ended is not found, and one that it has moved on has not passed.
    const found = await deps.deadlines.find([...new Set(message.sendIds)]);
    const passed = found.filter(({ dueAt }) => dueAt <= nowMs - graceMs);
    const { expired, accepted, next } = await endMessages(deps, passed, nowMs - graceMs);
    const done = passed.filter(
      ({ sendId, acceptedAt }) => accepted.has(sendId) || acceptedAt + acceptingMs < nowMs,
    );
    await deps.deadlines.endSingles(done.map(({ sendId }) => sendId).filter(isSingle));
    const bulks = done.filter(({ sendId }) => !isSingle(sendId));
    await inParallel(deadlinesAtOnce, bulks, async (deadline) => {
      await deps.deadlines.moveOn(deadline, next.get(deadline.sendId));
    });
    work.addFields({ sends: message.sendIds.length, ended: passed.length, movedOn: next.size, expired });
    if (expired > 0) work.addMetrics({ PushesExpired: expired });
  });
}

/** Ends messages. Returns how many, which of the sends were accepted, and the next deadlines of those that have one. */
async function endMessages({ messages, states }: Deps, passed: readonly Deadline[], untilMs: number) {
  const sends = await messages.findSends(passed.map(({ sendId }) => sendId));
  const accepted = new Set(sends.map((send) => ('bulkId' in send ? send.bulkId : send.messageId)));
  const next = new Map<string, number>();
  let expired = 0;
  for await (const some of messages.readMessages(sends)) {
    const over = [];
    for (const message of some) {
      const sendId = sendIdOf(message.messageId);
      const deadline = deadlineOf(message.content);
      if (deadline === undefined || !message.registered) continue;
      if (deadline <= untilMs) over.push({ message, atMs: deadline });
      else next.set(sendId, Math.min(deadline, next.get(sendId) ?? deadline));
    }
    expired += await states.expire(over);
  }
  return { expired, accepted, next };
}

function connect() {
  return tableDeps({
    parked: parkedStore,
    messages: messageStore,
    states: deliveryStateStore,
    deadlines: deadlineStore,
  });
}
