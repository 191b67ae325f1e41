import { type Queue, sendAll } from '../../platform/queues/queue.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import { type DeliveryStateStore, rowOfReport } from '../delivery-state-store.ts';
import { handedOverAt } from '../hand-over.ts';
import { sendIdOf } from '../message-id.ts';
import type { MessageReader } from '../message-reader.ts';
import type { Send } from '../message-rows.ts';
import { stateRowsAtOnce } from '../message-states.ts';
import { cancellationsOf } from './cancellation-message.ts';
import { deadlineOf } from './deadline.ts';
import type { Deadline } from './deadline-store.ts';
import { wasDueBeforeRestore } from './next-step.ts';
import type { ReleaseStore } from './release-store.ts';
import { graceMs } from './sweep-sends.ts';

export type StepDeps = {
  messages: Pick<MessageReader, 'readMessages'>;
  states: Pick<DeliveryStateStore, 'record' | 'expire' | 'findMany'>;
  releases: ReleaseStore;
  /** Whether the partner may send, read consistently. */
  partners: { isActive: (partnerId: string) => Promise<boolean> };
  /** The queue push-cancellations. */
  cancellations: Queue;
  clock: Clock;
};

/** A send, and what is due of it. */
export type DueSend = { due: Deadline; send: Send };
/** When the next thing is due, ms; `undefined`: nothing is. `isStored` is false if the send was not found. */
export type Next = { due: Deadline; at: number | undefined; isStored?: boolean };

const releasesAtOnce = 16;

/**
 * Releases sends. Those of a partner that is disabled, and those that a restore forbids, are cancelled instead: bulk sends
 * among them come back as `cancelled`, because their messages have no state yet.
 */
export async function releaseSends(deps: StepDeps, waiting: readonly DueSend[]) {
  const next: Next[] = [];
  const cancelled: DueSend[] = [];
  let released = 0;
  const active = await activeAmong(deps, waiting);
  await inParallel(releasesAtOnce, waiting, async ({ due, send }) => {
    if (active.has(send.partnerId) && !wasDueBeforeRestore(due, send)) {
      const decided = await deps.releases.release(due.sendId, deps.clock.now());
      if (decided.applied) released += 1;
      next.push(...(decided.applied ? [{ due, at: due.thenAt }] : afterDecision(due, decided.send)));
      return;
    }
    const atMs = deps.clock.now();
    if ('messageId' in send) {
      const decided = await deps.releases.cancelMessage(send, { atMs });
      next.push(...(decided.applied ? [{ due, at: undefined }] : afterDecision(due, decided.send)));
      return;
    }
    const requestId = send.requestId ?? send.bulkId;
    const { applied } = await deps.releases.cancelSend(send, { requestId, atMs });
    // Otherwise somebody else has cancelled it, and made it due again for that.
    if (applied)
      cancelled.push({
        due: { ...due, dueAt: atMs, cancelRequestId: requestId },
        send,
      });
  });
  return { next, cancelled, released };
}

async function activeAmong({ partners }: StepDeps, sends: readonly DueSend[]): Promise<ReadonlySet<string>> {
  const active = new Set<string>();
  await inParallel(releasesAtOnce, new Set(sends.map(({ send }) => send.partnerId)), async (partnerId) => {
    if (await partners.isActive(partnerId)) active.add(partnerId);
  });
  return active;
}

/** The send was released or cancelled meanwhile, or is gone. A bulk send that was cancelled is due again for that. */
function afterDecision(due: Deadline, send: Send | undefined): Next[] {
  if (send && handedOverAt(send) !== undefined) return [{ due, at: due.thenAt }];
  return send && 'bulkId' in send ? [] : [{ due, at: undefined }];
}

/** Cancels the messages of bulk sends that were taken back before their release, with one write for 40 neighbours. */
export async function cancelMessages({ messages, states }: StepDeps, cancelled: readonly DueSend[]) {
  const next: Next[] = [];
  for (const { due, send } of cancelled) {
    // It is due since it was taken back.
    const atMs = due.dueAt;
    for await (const part of messages.readMessages([send])) {
      const reports = part
        .filter(({ registered }) => registered)
        .map((message) => ({ message, state: 'CANCELLED' as const, atMs }));
      await inParallel(stateRowsAtOnce, Map.groupBy(reports, rowOfReport).values(), async (group) => {
        await states.record(group);
      });
    }
    next.push({ due, at: undefined });
  }
  return next;
}

/**
 * Asks the wallet platform to take back what nobody has opened of sends that were handed over. What has expired is asked
 * back too: a phone may show it, and report so late.
 */
export async function askBack({ messages, states, cancellations }: StepDeps, asked: readonly DueSend[]) {
  const next: Next[] = [];
  let askedBack = 0;
  for (const { due, send } of asked) {
    const messageIds: string[] = [];
    let at: number | undefined;
    for await (const part of messages.readMessages([send])) {
      const registered = part.filter((message) => message.registered);
      const known = await states.findMany(registered.map(({ messageId }) => messageId));
      for (const { messageId, content } of registered) {
        const reached = (known.get(messageId) ?? []).map(({ state }) => state);
        if (!reached.includes('OPENED') && !reached.includes('CANCELLED')) messageIds.push(messageId);
        const deadline = deadlineOf(content);
        if (deadline !== undefined && reached.length === 0) at = Math.min(deadline, at ?? deadline);
      }
    }
    const of = { partnerId: send.partnerId, requestId: due.cancelRequestId };
    await sendAll(cancellations, cancellationsOf({ ...of, messageIds }));
    askedBack += messageIds.length;
    next.push({ due, at });
  }
  return { next, askedBack };
}

/**
 * Ends messages whose deadline has passed: those that were neither delivered, opened nor cancelled become EXPIRED, each
 * once. A send with later deadlines moves on to the next.
 */
export async function endMessages({ messages, states, clock }: StepDeps, ending: readonly DueSend[]) {
  const untilMs = clock.now() - graceMs;
  const nextOf = new Map<string, number>();
  let expired = 0;
  for await (const some of messages.readMessages(ending.map(({ send }) => send))) {
    const over = [];
    for (const message of some) {
      const sendId = sendIdOf(message.messageId);
      const deadline = deadlineOf(message.content);
      if (deadline === undefined || !message.registered) continue;
      if (deadline <= untilMs) over.push({ message, atMs: deadline });
      else nextOf.set(sendId, Math.min(deadline, nextOf.get(sendId) ?? deadline));
    }
    expired += await states.expire(over);
  }
  return { next: ending.map(({ due }): Next => ({ due, at: nextOf.get(due.sendId) })), expired };
}
