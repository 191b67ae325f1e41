import { connectQueue, sendAll } from '../../shared/platform/queues/queue.ts';
import { queueWorker } from '../../shared/platform/queues/queue-worker.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { inGroups } from '../../shared/platform/runtime/in-groups.ts';
import { inParallel } from '../../shared/platform/runtime/in-parallel.ts';
import { tableDeps } from '../../shared/platform/table/table.ts';
import { CancellationMessage } from '../../shared/push/deadlines/cancellation-message.ts';
import { deadlineOf } from '../../shared/push/deadlines/deadline.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { messageReader } from '../../shared/push/message-reader.ts';
import type { StoredMessage } from '../../shared/push/message-rows.ts';
import { type Receipt, receiptsPerMessage } from '../../shared/push/receipt.ts';
import { phoneStore } from '../../shared/sandbox/phone-store.ts';
import { removedStore } from '../../shared/sandbox/removed-store.ts';
import { opensJustBefore } from '../../shared/sandbox/test-numbers.ts';

type Deps = ReturnType<typeof connect>;

const phonesAtOnce = 10;

/**
 * The simulated wallet platform: takes back what partners cancel, at once, unless somebody has opened it. It keeps no list
 * of what its devices show: the rows of the service say who got a message and what was reported.
 */
export function removeMessages(deps = connect()) {
  return queueWorker('RemoveMessages', async ({ record, work }) => {
    const { partnerId, messageIds } = CancellationMessage.parse(JSON.parse(record.body));
    const nowMs = deps.clock.now();
    const [found, reached] = await Promise.all([
      deps.messages.findMany(messageIds, nowMs),
      deps.states.findMany(messageIds),
    ]);
    const shown = [...found.values()].filter(({ messageId }) =>
      (reached.get(messageId) ?? []).every(({ state }) => state === 'DELIVERED'),
    );
    // Nothing was reported by its deadline, so that no phone shows it, unless its receipt is under way.
    const isLate = ({ messageId, content }: StoredMessage) =>
      !reached.has(messageId) && nowMs >= (deadlineOf(content) ?? Infinity);
    const left = shown.filter(({ msisdn }) => !opensJustBefore(msisdn));
    // Marked first: a message that arrives meanwhile sees the mark, or is on its phone by now.
    await deps.removed.add(
      partnerId,
      left.map(({ messageId }) => messageId),
      nowMs,
    );
    // The receipt of a phone that opens by itself may wait, and is dropped because of the mark.
    const onPhones = await removeFromPhones(deps, partnerId, left);
    const taken = shown.filter((message) => onPhones.has(message.messageId) || !isLate(message));
    for (const { messageId, msisdn } of taken) if (opensJustBefore(msisdn)) onPhones.set(messageId, nowMs);
    const receipts = taken.map((message) => {
      const openedAt = onPhones.get(message.messageId);
      return openedAt === undefined
        ? receiptOf(message, 'CANCELLED', nowMs)
        : receiptOf(message, 'OPENED', openedAt);
    });
    const messages = inGroups(receipts, receiptsPerMessage).map((some) => ({
      body: JSON.stringify({ receipts: some }),
    }));
    await sendAll(deps.queue, messages);
    const opened = receipts.filter(({ state }) => state === 'OPENED').length;
    work.addFields({ asked: messageIds.length, removed: receipts.length - opened, opened });
  });
}

/** Removes messages from the phones that a partner has added, and returns those that were there, and when they were opened. */
async function removeFromPhones(
  { phones, clock }: Deps,
  partnerId: string,
  messages: readonly StoredMessage[],
) {
  const own = await phones.numbers(partnerId, clock.now());
  const onPhones = new Map<string, number | undefined>();
  const ofPhones = messages.filter(({ msisdn }) => own.has(msisdn));
  await inParallel(phonesAtOnce, ofPhones, async (message) => {
    const found = await phones.take(partnerId, message, clock.now());
    if (found) onPhones.set(message.messageId, found.openedAt);
  });
  return onPhones;
}

function receiptOf({ messageId, msisdn }: StoredMessage, state: Receipt['state'], atMs: number): Receipt {
  return { messageId, msisdn, state, time: new Date(atMs).toISOString() };
}

function connect() {
  const stores = {
    messages: messageReader,
    states: deliveryStateStore,
    phones: phoneStore,
    removed: removedStore,
  };
  return { ...tableDeps(stores), queue: connectQueue(readEnv('RECEIPTS_QUEUE_URL')) };
}
