import { partnerStore } from '../../shared/partners/partner-store.ts';
import { parkedStore, parkMessage } from '../../shared/platform/queues/parked-store.ts';
import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { parseMessageBody, queueWorker } from '../../shared/platform/queues/queue-worker.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { inParallel } from '../../shared/platform/runtime/in-parallel.ts';
import { tableDeps } from '../../shared/platform/table/table.ts';
import { type Deadline, deadlineStore } from '../../shared/push/deadlines/deadline-store.ts';
import { nextStep, type Step } from '../../shared/push/deadlines/next-step.ts';
import { releaseStore } from '../../shared/push/deadlines/release-store.ts';
import {
  askBack,
  cancelMessages,
  type DueSend,
  endMessages,
  type NextOf,
  releaseSends,
} from '../../shared/push/deadlines/steps.ts';
import { DueSends } from '../../shared/push/deadlines/sweep-sends.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { exceptDamagedSends } from '../../shared/push/except-damaged-sends.ts';
import { isSingle } from '../../shared/push/message-id.ts';
import { messageReader } from '../../shared/push/message-reader.ts';
import type { Send } from '../../shared/push/message-rows.ts';

type Deps = ReturnType<typeof connect>;

const rowsAtOnce = 16;

/**
 * Does what is due of sends: releases those that were scheduled, ends messages whose deadline has passed, and takes back
 * what a partner cancelled. What is due next of a send is written last, so that every step can be repeated.
 */
export function advanceSends(deps = connect()) {
  return queueWorker('AdvanceSends', async (delivery) => {
    const { record, work } = delivery;
    const message = parseMessageBody(DueSends, record.body);
    if (!message)
      return parkMessage(deps, work, { queue: 'deadlines', record, reason: 'not {"sendIds": [...]}' });
    work.addFields({ sends: message.sendIds.length });
    const advance = async (sendIds: readonly string[]) => {
      const counts = await advanceSome(deps, sendIds);
      for (const [name, count] of Object.entries(counts)) work.count(name, count);
      if (counts.expired > 0) work.addMetrics({ PushesExpired: counts.expired });
    };
    await exceptDamagedSends(delivery, deps.messages, new Set(message.sendIds), advance);
  });
}

async function advanceSome(deps: Deps, sendIds: readonly string[]) {
  // A send that an earlier message has moved on is not found any more, or is due later.
  const found = await deps.deadlines.find(sendIds);
  const dueTo = await stepsOf(deps, found);
  const { released, cancelled, next: afterRelease } = await releaseSends(deps, dueTo('release'));
  const cancelling = [...dueTo('cancel'), ...cancelled];
  const afterCancel = await cancelMessages(deps, cancelling);
  const { askedBack, next: afterAsking } = await askBack(deps, dueTo('ask back'));
  const { expired, next: afterEnd } = await endMessages(deps, dueTo('end'));
  const dropped = dueTo('drop').map(({ due, send }): NextOf => ({ due, at: undefined, isStored: !!send }));
  const next = [...afterRelease, ...afterCancel, ...afterAsking, ...afterEnd, ...dropped];
  await moveOn(deps, next);
  const movedOn = next.filter(({ at }) => at !== undefined).length;
  const ended = next.length - movedOn;
  return { ended, movedOn, released, cancelled: cancelling.length, askedBack, expired };
}

/** The sends by what is to be done with them. They are read after what is due of them. */
async function stepsOf({ messages, clock }: Deps, found: readonly Deadline[]) {
  const sends = await messages.findSends(found.map(({ sendId }) => sendId));
  const nowMs = clock.now();
  // Only what is dropped or waits may have no send.
  const dueSends = found.map((due): DueSend => ({ due, send: sends.get(due.sendId) as Send }));
  const steps = Map.groupBy(dueSends, ({ due, send }) => nextStep(due, send, nowMs));
  return (step: Step) => steps.get(step) ?? [];
}

async function moveOn({ deadlines }: Deps, next: readonly NextOf[]): Promise<void> {
  const isEnded = ({ due, at, isStored = true }: NextOf) =>
    at === undefined && isStored && isSingle(due.sendId);
  await deadlines.endSingles(next.filter(isEnded).map(({ due }) => due.sendId));
  const others = next.filter((one) => !isEnded(one));
  await inParallel(rowsAtOnce, others, (one) => deadlines.moveOn(one.due, one));
}

function connect() {
  const stores = {
    parked: parkedStore,
    messages: messageReader,
    states: deliveryStateStore,
    deadlines: deadlineStore,
    releases: releaseStore,
    partners: partnerStore,
  };
  return { ...tableDeps(stores), cancellations: connectQueue(readEnv('CANCELLATIONS_QUEUE_URL')) };
}
