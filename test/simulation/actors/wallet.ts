import type { Receipt } from '../../../shared/push/receipt.ts';
import type { OutboxMessage } from '../../../shared/push/sending/outbox-message.ts';
import type { QueueModels } from '../core/queues.ts';
import type { RunParts } from '../core/run-parts.ts';
import type { ShownMessage } from './push-request.ts';

/** Sequences of states that the platform may report for a message. */
const habits = [
  ['DELIVERED', 'OPENED'],
  ['DELIVERED', 'OPENED'],
  ['DELIVERED', 'OPENED'],
  ['DELIVERED'],
  ['OPENED', 'DELIVERED'],
  ['OPENED'],
  [],
  ['DELIVERED', 'OPENED', 'DELIVERED', 'OPENED'],
] as const;

function messagesIn(body: string): ShownMessage[] {
  const { partnerId, payload, qos = {}, messages, ...accepted }: OutboxMessage = JSON.parse(body);
  const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  const shared = {
    partnerId,
    acceptedAt: Date.parse(accepted.acceptedAt),
    text: payload.message,
    wantsCallbacks: qos.deliveryStatusNotifications === true,
    deadline: timeOf(qos.deliverDue),
    deliverFrom: timeOf(qos.deliverFrom),
  };
  return messages.map((one) => ({ ...one, ...shared }));
}

type Parts = RunParts & {
  queues: QueueModels;
  /** True if every message is delivered, opened and reported within seconds. */
  isPrompt: boolean;
};

/**
 * Simulates the wallet platform, which shows messages on devices and reports what became of them. It takes back what it is
 * asked for, also before it has it, unless somebody has opened it.
 */
export function createWallet(parts: Parts) {
  const { time, rng, log, queues, isPrompt } = parts;
  const outbox = queues.queue('push-outbox');
  const receipts = queues.queue('delivery-receipts');
  const cancellations = queues.queue('push-cancellations');
  const shown = new Map<string, ShownMessage>();
  const sent: Receipt[] = [];
  /** The times at which a message with receipts came into the queue: several if it is moved back as a dead letter. */
  const queuedAt = new Map<string, number[]>();
  /** The time at which a receipt first came into the queue, by the id of its callback. */
  const postedAt = new Map<string, number>();
  const unsent: Receipt[] = [];
  /** Dead letters that an operator moves back, even after their deadline. */
  const movedBack = new Set<string>();
  /** Messages that the service put into the outbox, and when. */
  const handedOver: { message: ShownMessage; atMs: number }[] = [];
  /** The ids of messages that it is asked to take back, that were opened, and that it has taken back. */
  const [asked, opened, removed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let silent = false;
  let dueReports = 0;

  const post = (content: unknown): void => receipts.add({ MessageBody: JSON.stringify(content) });

  const flush = (): void => {
    while (unsent.length > 0) {
      const some = unsent.splice(0, rng.between(1, 60));
      dueReports -= some.length;
      post({ receipts: some });
      for (const { messageId, state } of some) postedAt.set(`${messageId}-${state}`, time.now());
      if (rng.happens(0.05)) post({ receipts: some });
    }
  };

  receipts.onTaken = (body) => {
    queuedAt.set(body, [...(queuedAt.get(body) ?? []), time.now()]);
  };

  outbox.onTaken = (body) => {
    if (movedBack.delete(body)) return;
    for (const message of messagesIn(body)) handedOver.push({ message, atMs: time.now() });
  };

  const report = ({ messageId, msisdn }: ShownMessage, state: Receipt['state']): void => {
    // The clocks of some phones are wrong.
    const aheadMs = !isPrompt && rng.happens(0.1) ? rng.between(-86_400_000, 86_400_000) : -1_000;
    const receipt = { messageId, msisdn, state, time: new Date(time.now() + aheadMs).toISOString() };
    sent.push(receipt);
    if (unsent.push(receipt) === 1) time.after(rng.between(100, isPrompt ? 1_000 : 40_000), flush);
  };

  const remove = (message: ShownMessage): void => {
    if (opened.has(message.messageId) || removed.has(message.messageId)) return;
    removed.add(message.messageId);
    dueReports += 1;
    report(message, 'CANCELLED');
  };

  const takeBack = async (): Promise<void> => {
    const messages = await cancellations.receive(10);
    for (const messageId of messages.flatMap(({ Body }) => JSON.parse(Body).messageIds as string[])) {
      asked.add(messageId);
      const known = shown.get(messageId);
      if (known) remove(known);
    }
    await cancellations.remove(messages);
    if (cancellations.isReady()) time.after(rng.between(10, 200), takeBack);
  };
  cancellations.onVisible = () => time.after(rng.between(10, 200), takeBack);

  /** What was removed is neither shown nor opened any more. */
  const happen = (message: ShownMessage, state: (typeof habits)[number][number]): void => {
    if (removed.has(message.messageId)) {
      dueReports -= 1;
      return;
    }
    if (state === 'OPENED') opened.add(message.messageId);
    report(message, state);
  };

  const show = (message: ShownMessage): void => {
    if (shown.has(message.messageId)) return;
    shown.set(message.messageId, message);
    if (asked.has(message.messageId)) {
      remove(message);
      return;
    }
    let afterMs = 0;
    let isShown = false;
    for (const state of isPrompt ? habits[0] : rng.pick<(typeof habits)[number]>(habits)) {
      afterMs +=
        !isPrompt && rng.happens(0.1)
          ? rng.between(60_000, 1_800_000)
          : rng.between(500, isPrompt ? 2_000 : 20_000);
      // The platform obeys the deadline: what would be shown after it is neither shown nor reported.
      isShown ||= time.now() + afterMs < (message.deadline ?? Number.POSITIVE_INFINITY);
      if (!isShown) return;
      dueReports += 1;
      time.after(afterMs, () => happen(message, state));
    }
  };

  const poll = async (): Promise<void> => {
    if (silent) return;
    const messages = await outbox.receive(10);
    for (const { Body } of messages) for (const one of messagesIn(Body)) show(one);
    await outbox.remove(messages);
    if (messages.length > 0) log.add(`the wallet platform takes ${messages.length} messages`);
    if (outbox.isReady()) time.after(rng.between(10, 200), poll);
  };
  outbox.onVisible = () => time.after(rng.between(10, 200), poll);

  return {
    shown: shown as ReadonlyMap<string, ShownMessage>,
    sent: sent as readonly Receipt[],
    queuedAt: queuedAt as ReadonlyMap<string, readonly number[]>,
    postedAt: postedAt as ReadonlyMap<string, number>,
    handedOver: handedOver as readonly { message: ShownMessage; atMs: number }[],
    movedBack,
    asked: asked as ReadonlySet<string>,
    removed: removed as ReadonlySet<string>,
    /** True once everything that happened or will happen has been reported. */
    isIdle: () => dueReports === 0,
    /** While silent, the platform takes no messages and reports nothing new. */
    setSilent: (isSilent: boolean): void => {
      silent = isSilent;
      if (!silent) time.after(1, poll);
    },
  };
}
