import { type Queue, sendAll } from '../../platform/queues/queue.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import { halfOfTime } from '../../platform/runtime/time-left.ts';
import { type DeliveryStateStore, type PassedDeadline, rowOfReport } from '../delivery-state-store.ts';
import { handedOverAt } from '../hand-over.ts';
import type { MessageReader } from '../message-reader.ts';
import { type BulkSend, partsOf, type Send, type StoredMessage } from '../message-rows.ts';
import { stateRowsAtOnce } from '../message-states.ts';
import { cancellationsOf } from './cancellation-message.ts';
import { deadlineOf, earliest } from './deadline.ts';
import type { Deadline, Next } from './deadline-store.ts';
import { wasDueBeforeRestore } from './next-step.ts';
import type { ReleaseStore } from './release-store.ts';
import { graceMs } from './sweep-sends.ts';

export type StepDeps = {
  messages: Pick<MessageReader, 'readMessages' | 'readPart'>;
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
/** `isStored` is false if the send was not found. */
export type NextOf = Next & { due: Deadline; isStored?: boolean };

const releasesAtOnce = 16;
/** Each writes an event of its partner, and more at once would only throttle each other. */
const cancelsAtOnce = 4;

/**
 * Releases sends. Then those of a partner that is disabled, and those that a restore forbids, are cancelled, as many as half
 * of the time allows: the others stay due. Bulk sends among them come back as `cancelled`, because their messages have no
 * state yet.
 */
export async function releaseSends(deps: StepDeps, waiting: readonly DueSend[]) {
  const next: NextOf[] = [];
  const cancelled: DueSend[] = [];
  let released = 0;
  const isHalfOver = halfOfTime();
  const active = await activeAmong(deps, waiting);
  const mayGo = ({ due, send }: DueSend) => active.has(send.partnerId) && !wasDueBeforeRestore(due, send);
  await inParallel(releasesAtOnce, waiting.filter(mayGo), async ({ due }) => {
    const decided = await deps.releases.release(due.sendId, deps.clock.now());
    if (decided.applied) released += 1;
    next.push(...(decided.applied ? [{ due, at: due.thenAt }] : afterDecision(due, decided.send)));
  });
  const refused = waiting.filter((one) => !mayGo(one));
  await inParallel(cancelsAtOnce, refused, async ({ due, send }) => {
    if (isHalfOver()) return;
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
function afterDecision(due: Deadline, send: Send | undefined): NextOf[] {
  if (send && handedOverAt(send) !== undefined) return [{ due, at: due.thenAt }];
  return send && 'bulkId' in send ? [] : [{ due, at: undefined }];
}

/** Cancels the messages of bulk sends that were taken back before their release, with one write for 40 neighbours. */
export async function cancelMessages({ messages, states }: StepDeps, cancelled: readonly DueSend[]) {
  const next: NextOf[] = [];
  for (const { due, send } of cancelled) {
    // It is due since it was taken back.
    const atMs = due.dueAt;
    for await (const part of messages.readMessages(send)) {
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
  const next: NextOf[] = [];
  let askedBack = 0;
  for (const { due, send } of asked) {
    const messageIds: string[] = [];
    let at: number | undefined;
    for await (const part of messages.readMessages(send)) {
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
 * once. A send with later deadlines moves on to the next, and then only the parts are read that have something to end.
 */
export async function endMessages(deps: StepDeps, ending: readonly DueSend[]) {
  const untilMs = deps.clock.now() - graceMs;
  const next: NextOf[] = [];
  const singles: PassedDeadline[] = [];
  let expired = 0;
  for (const { due, send } of ending) {
    if ('messageId' in send) {
      const { over, laterAt } = endingIn([send], untilMs);
      singles.push(...over);
      next.push({ due, at: laterAt });
    } else {
      const ended = await endParts(deps, { due, send }, untilMs);
      expired += ended.expired;
      next.push({ due, ...ended.next });
    }
  }
  expired += await deps.states.expire(singles);
  return { next, expired };
}

async function endParts(
  { messages, states }: StepDeps,
  { due, send }: { due: Deadline; send: BulkSend },
  untilMs: number,
): Promise<{ next: Next; expired: number }> {
  const partsDueAt: (number | null)[] = [];
  let expired = 0;
  for (const part of partsOf(send)) {
    const known = due.partsDueAt?.[part];
    let dueAt = known === undefined ? due.dueAt : known;
    if (dueAt !== null && dueAt <= untilMs) {
      const { over, laterAt } = endingIn(await messages.readPart(send, part), untilMs);
      expired += await states.expire(over);
      dueAt = laterAt ?? null;
    }
    partsDueAt.push(dueAt);
  }
  const at = earliest(partsDueAt.filter((one) => one !== null));
  return { next: { at, partsDueAt }, expired };
}

/** The messages whose deadline has passed, and the earliest deadline of the others. */
function endingIn(messages: readonly StoredMessage[], untilMs: number) {
  const over: PassedDeadline[] = [];
  const later: number[] = [];
  for (const message of messages) {
    const deadline = deadlineOf(message.content);
    if (deadline === undefined || !message.registered) continue;
    if (deadline <= untilMs) over.push({ message, atMs: deadline });
    else later.push(deadline);
  }
  return { over, laterAt: earliest(later) };
}
