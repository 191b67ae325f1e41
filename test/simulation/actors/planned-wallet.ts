import type { Receipt } from '../../../shared/push/receipt.ts';
import type { OutboxMessage } from '../../../shared/push/sending/outbox-message.ts';
import type { QueueModels } from '../core/queues.ts';
import type { RunParts } from '../core/run-parts.ts';

/** A message that was scheduled, as it comes out of push-outbox. */
export type PlannedMessage = {
  messageId: string;
  msisdn: number;
  /** The time before which it must not be handed over. */
  deliverFrom: number;
};

type Shown = PlannedMessage & { isOpened: boolean; isRemoved: boolean };

/** The messages of push-outbox that were scheduled. */
export function plannedIn(body: string): PlannedMessage[] {
  const { qos, messages }: OutboxMessage = JSON.parse(body);
  if (typeof qos?.deliverFrom !== 'string') return [];
  const deliverFrom = Date.parse(qos.deliverFrom);
  return messages.map(({ messageId, msisdn }) => ({ messageId, msisdn, deliverFrom }));
}

/**
 * Simulates what the wallet platform does with scheduled messages: it shows them, opens some, and takes back what it is
 * asked for, also before it has it, unless somebody has opened it.
 */
export function createPlannedWallet({ time, rng, queues }: RunParts & { queues: QueueModels }) {
  const cancellations = queues.queue('push-cancellations');
  const receipts = queues.queue('delivery-receipts');
  const shown = new Map<string, Shown>();
  const asked = new Set<string>();
  const handedOver: (PlannedMessage & { atMs: number })[] = [];
  let pending = 0;

  const later = (ms: number, act: () => void): void => {
    pending += 1;
    time.after(ms, () => {
      pending -= 1;
      act();
    });
  };

  const report = ({ messageId, msisdn }: PlannedMessage, state: Receipt['state']): void => {
    const receipt: Receipt = { messageId, msisdn, state, time: new Date(time.now()).toISOString() };
    later(rng.between(100, 20_000), () =>
      receipts.add({ MessageBody: JSON.stringify({ receipts: [receipt] }) }),
    );
  };

  const remove = (message: Shown): void => {
    if (message.isOpened || message.isRemoved) return;
    message.isRemoved = true;
    report(message, 'CANCELLED');
  };

  const show = (one: PlannedMessage): void => {
    if (shown.has(one.messageId)) return;
    const message: Shown = { ...one, isOpened: false, isRemoved: false };
    shown.set(one.messageId, message);
    if (asked.has(one.messageId)) {
      remove(message);
      return;
    }
    later(rng.between(500, 20_000), () => {
      if (message.isRemoved) return;
      report(message, 'DELIVERED');
      if (rng.happens(0.5)) return;
      later(rng.between(500, 300_000), () => {
        if (message.isRemoved) return;
        message.isOpened = true;
        report(message, 'OPENED');
      });
    });
  };

  const takeBack = async (): Promise<void> => {
    for (const { Body, ...message } of await cancellations.receive(10)) {
      for (const messageId of JSON.parse(Body).messageIds as string[]) {
        asked.add(messageId);
        const known = shown.get(messageId);
        if (known) remove(known);
      }
      await cancellations.remove([{ Body, ...message }]);
    }
    if (cancellations.isReady()) time.after(rng.between(10, 200), takeBack);
  };
  cancellations.onVisible = () => time.after(rng.between(10, 200), takeBack);

  return {
    show,
    /** The service has put these into push-outbox. */
    taken: (messages: readonly PlannedMessage[]): void => {
      for (const message of messages) handedOver.push({ ...message, atMs: time.now() });
    },
    handedOver: handedOver as readonly (PlannedMessage & { atMs: number })[],
    asked: asked as ReadonlySet<string>,
    isRemoved: (messageId: string) => shown.get(messageId)?.isRemoved === true,
    isIdle: () => pending === 0,
  };
}
