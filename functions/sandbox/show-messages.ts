import { restoreNumbers } from '../../shared/platform/json/numbers.ts';
import { connectQueue, type Message, sendAll } from '../../shared/platform/queues/queue.ts';
import { type Delivery, queueWorker } from '../../shared/platform/queues/queue-worker.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { inGroups } from '../../shared/platform/runtime/in-groups.ts';
import { tableDeps } from '../../shared/platform/table/table.ts';
import { deadlineOf } from '../../shared/push/deadlines/deadline.ts';
import { receiptsPerMessage } from '../../shared/push/receipt.ts';
import { recipientStore } from '../../shared/push/recipient-store.ts';
import { OutboxMessage } from '../../shared/push/sending/outbox-message.ts';
import { phoneStore, type ShownMessage } from '../../shared/sandbox/phone-store.ts';
import { removedStore } from '../../shared/sandbox/removed-store.ts';
import { type DueReceipt, makeReceipts } from '../../shared/sandbox/test-numbers.ts';

type Deps = ReturnType<typeof connect>;

/**
 * The simulated wallet platform: reports everything that a device would, when it would, and puts messages on the phones
 * of their partner. Receipts wait in a queue of their own until it is time, because the service refuses receipts from
 * the future. A message that cannot be read fails every attempt and reaches the dead-letter queue: only this service
 * writes them, so it is a fault of ours.
 */
export function showMessages(deps = connect()) {
  return queueWorker('ShowMessages', async (delivery) => {
    const due = await readReceipts(deps, delivery);
    await sendAll(deps.queue, toMessages(due));
  });
}

async function readReceipts(
  { clock, delaySeconds, phones, recipients, removed }: Deps,
  { record, work }: Delivery,
): Promise<DueReceipt[]> {
  const { messages: all, ...sent } = OutboxMessage.parse(JSON.parse(record.body));
  const nowMs = clock.now();
  const own = await phones.numbers(sent.partnerId, nowMs);
  const msisdns = [...new Set(all.map(({ msisdn }) => msisdn))];
  const registered = await recipients.registeredAmong(msisdns, sent.partnerId);
  // The wallet platform reports nothing about a number that has left since the acceptance.
  const messages = all.filter(({ msisdn }) => own.has(msisdn) || registered.has(msisdn));
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

function toMessages(due: readonly DueReceipt[]): Message[] {
  const byDelay = Map.groupBy(due, ({ afterSeconds }) => afterSeconds);
  return [...byDelay].flatMap(([delaySeconds, together]) =>
    inGroups(together, receiptsPerMessage).map((group) => ({
      body: JSON.stringify({ receipts: group.map(({ receipt }) => receipt) }),
      delaySeconds,
    })),
  );
}

function connect() {
  return {
    ...tableDeps({ phones: phoneStore, recipients: recipientStore, removed: removedStore }),
    /** The queue in which receipts wait until it is time to report them. */
    queue: connectQueue(readEnv('DEVICE_REPORTS_QUEUE_URL')),
    /** The delay from a message's arrival to its delivery, and from its delivery to its opening. */
    delaySeconds: Number(readEnv('WALLET_DELAY_SECONDS')),
  };
}
