/** The parts of fauxqs 2.4's queue that its rules below correct. */
export interface FauxqsQueue {
  fifoMessages: Map<string, { readonly sequenceNumber?: string }[]>;
  fifoLockedGroups: Map<string, number>;
  processTimers(): void;
  enqueue(message: FauxqsMessage): void;
  dequeueFifo(maxCount: number, visibilityTimeoutSeconds?: number, deadLetterQueue?: unknown): unknown[];
}

interface FauxqsMessage {
  approximateReceiveCount: number;
  approximateFirstReceiveTimestamp?: number | undefined;
}

/** Messages that become visible again go to the front one by one, which turns their order around. */
function restoreOrder(queue: FauxqsQueue): void {
  for (const messages of queue.fifoMessages.values()) {
    messages.sort((a, b) => ((a.sequenceNumber ?? '') < (b.sequenceNumber ?? '') ? -1 : 1));
  }
}

/**
 * Repeats `take`, which gives one message a group and locks the group, and lets this one receive see past the
 * locks it made itself; locks of other receives hold.
 */
function takeSeveralPerGroup(
  queue: FauxqsQueue,
  maxCount: number,
  take: (count: number) => unknown[],
): unknown[] {
  const lockedByOthers = queue.fifoLockedGroups;
  const lockedHere = new Map<string, number>();
  const taken: unknown[] = [];
  for (;;) {
    queue.fifoLockedGroups = new Map(lockedByOthers);
    const round = take(maxCount - taken.length);
    for (const [group, count] of queue.fifoLockedGroups) {
      if (!lockedByOthers.has(group)) lockedHere.set(group, (lockedHere.get(group) ?? 0) + count);
    }
    taken.push(...round);
    if (round.length === 0 || taken.length >= maxCount) break;
  }
  queue.fifoLockedGroups = new Map([...lockedByOthers, ...lockedHere]);
  return taken;
}

/**
 * Brings fauxqs 2.4 to what SQS documents: one receive may hold several messages of a group; messages of a group
 * keep their order when they return together; and receives from a queue do not count in its dead-letter queue,
 * which may have a redrive policy of its own.
 */
export function followSqsRules(prototype: FauxqsQueue): void {
  const { dequeueFifo, enqueue, processTimers } = prototype;

  prototype.dequeueFifo = function (this: FauxqsQueue, maxCount, ...rest) {
    processTimers.call(this);
    restoreOrder(this);
    // Timers that fire between two rounds would change locks that are put back afterwards.
    this.processTimers = () => undefined;
    try {
      return takeSeveralPerGroup(this, Math.min(maxCount, 10), (count) =>
        dequeueFifo.call(this, count, ...rest),
      );
    } finally {
      this.processTimers = processTimers;
    }
  };

  prototype.enqueue = function (this: FauxqsQueue, message) {
    message.approximateReceiveCount = 0;
    message.approximateFirstReceiveTimestamp = undefined;
    enqueue.call(this, message);
  };
}
