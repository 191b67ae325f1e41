import type { SQSEvent } from 'aws-lambda';
import { restoreNumbers } from '../../shared/platform/json/numbers.ts';
import { connectQueue, type Message, sendAll } from '../../shared/platform/queues/queue.ts';
import { combiningWorker, type Delivery, type WorkItem } from '../../shared/platform/queues/queue-worker.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { inGroups } from '../../shared/platform/runtime/in-groups.ts';
import type { Timed } from '../../shared/platform/runtime/time-left.ts';
import { tableDeps } from '../../shared/platform/table/table.ts';
import { deadlineOf } from '../../shared/push/deadlines/deadline.ts';
import { receiptsPerMessage } from '../../shared/push/receipt.ts';
import { OutboxMessage } from '../../shared/push/sending/outbox-message.ts';
import { phoneStore, type ShownMessage } from '../../shared/sandbox/phone-store.ts';
import { removedStore } from '../../shared/sandbox/removed-store.ts';
import { type DueReceipt, makeReceipts } from '../../shared/sandbox/test-numbers.ts';

type Deps = ReturnType<typeof connect>;

type PhonesOf = (partnerId: string) => Promise<ReadonlySet<number>>;

/**
 * The simulated wallet platform: reports everything that a device would, when it would, and puts messages on the phones
 * of their partner. Receipts wait in a queue of their own until it is time, because the service refuses receipts from
 * the future. A message that cannot be read fails every attempt and reaches the dead-letter queue: only this service
 * writes them, so it is a fault of ours.
 */
export function showMessages(deps = connect()) {
  return (event: SQSEvent, context?: Timed) => {
    const phonesOf = readOnce(deps);
    return combiningWorker('ShowMessages', {
      read: (delivery) => readReceipts(deps, delivery, phonesOf),
      // All receipts of a batch travel together.
      apply: (parts) => sendAll(deps.queue, toMessages(parts)),
    })(event, context);
  };
}

/** The phones of each partner, read once for a batch. */
function readOnce({ phones, clock }: Deps): PhonesOf {
  const known = new Map<string, ReadonlySet<number>>();
  return async (partnerId) => {
    const numbers = known.get(partnerId) ?? (await phones.numbers(partnerId, clock.now()));
    known.set(partnerId, numbers);
    return numbers;
  };
}

async function readReceipts(
  { clock, delaySeconds, phones, removed }: Deps,
  { record, work }: Delivery,
  phonesOf: PhonesOf,
): Promise<DueReceipt[]> {
  const { messages, ...sent } = OutboxMessage.parse(JSON.parse(record.body));
  const own = await phonesOf(sent.partnerId);
  const nowMs = clock.now();
  const deadline = deadlineOf(sent);
  const shown: (ShownMessage & { msisdn: number })[] = [];
  const due = messages.flatMap((message) => {
    const byHand = own.has(message.msisdn);
    const receipts = makeReceipts(message, { nowMs, delaySeconds, byHand, deadline });
    const [deliveredAt, openedAt] = byHand ? timesIn(receipts) : [];
    if (deliveredAt !== undefined)
      shown.push({ ...message, ...shownFrom(sent, record.body), deliveredAt, openedAt });
    return receipts;
  });
  // Show messages before their receipts are sent: a partner that gets a callback finds the message on the phone.
  await phones.show(sent.partnerId, shown);
  // Looked up last: what is taken back from now on finds the message on its phone.
  const ids = messages.map(({ messageId }) => messageId);
  const gone = await removed.among(ids, nowMs);
  for (const message of shown.filter(({ messageId }) => gone.has(messageId)))
    await phones.take(sent.partnerId, message, nowMs);
  work.addFields({ recipients: messages.length, shown: shown.length, requestIds: [sent.requestId] });
  return due.filter(({ receipt }) => !gone.has(receipt.messageId));
}

/** When the device will have shown the message, and when its owner will have opened it. */
function timesIn(receipts: readonly DueReceipt[]): (number | undefined)[] {
  return (['DELIVERED', 'OPENED'] as const).map((state) => {
    const due = receipts.find(({ receipt }) => receipt.state === state);
    return due && Date.parse(due.receipt.time);
  });
}

function shownFrom(
  { acceptedAt, pushType, payload, qos, utm }: Omit<OutboxMessage, 'messages'>,
  text: string,
): Pick<ShownMessage, 'acceptedAt' | 'content'> {
  const content = restoreNumbers({ pushType, payload, qos, utm }, text);
  return { acceptedAt: Date.parse(acceptedAt), content };
}

function toMessages(parts: readonly WorkItem<DueReceipt>[]): Message[] {
  const byDelay = Map.groupBy(
    parts.map(({ item }) => item),
    ({ afterSeconds }) => afterSeconds,
  );
  return [...byDelay].flatMap(([delaySeconds, due]) =>
    inGroups(due, receiptsPerMessage).map((group) => ({
      body: JSON.stringify({ receipts: group.map(({ receipt }) => receipt) }),
      delaySeconds,
    })),
  );
}

function connect() {
  return {
    ...tableDeps({ phones: phoneStore, removed: removedStore }),
    /** The queue in which receipts wait until it is time to report them. */
    queue: connectQueue(readEnv('DEVICE_REPORTS_QUEUE_URL')),
    /** The delay from a message's arrival to its delivery, and from its delivery to its opening. */
    delaySeconds: Number(readEnv('WALLET_DELAY_SECONDS')),
  };
}
