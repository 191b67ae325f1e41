import type { DeliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import type { MessageStore, StoredMessage } from '../../shared/push/message-store.ts';
import { Receipt, ReceiptEnvelope } from '../../shared/push/receipt.ts';
import type { ParkedStore } from '../../shared/queues/parked-store.ts';
import { type Delivery, queueWorker } from '../../shared/queues/queue-worker.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import { inParallel } from '../../shared/runtime/in-parallel.ts';
import { formatIssues, parse } from '../../shared/validation/format-issues.ts';

type Deps = {
  messages: Pick<MessageStore, 'findMany'>;
  states: Pick<DeliveryStateStore, 'record'>;
  parked: ParkedStore;
  clock: Clock;
};

type Read = { position: number; given: unknown } & ({ receipt: Receipt } | { reason: string });

/** 3 x 16 = 48 writes at once: more than the client has connections would wait for one and time out. */
const messagesAtOnce = 3;
const writesAtOnce = 16;
const requestIdsShown = 20;

/**
 * Records what devices reported. A receipt that cannot be read or matched is parked with its reason; the others of
 * its message are recorded, each state once, however often it is reported.
 */
export function recordReceipts(deps: Deps) {
  return queueWorker('RecordReceipts', (delivery) => record(deps, delivery), {
    groupsAtOnce: messagesAtOnce,
  });
}

async function record(deps: Deps, { record: { messageId, body }, work }: Delivery): Promise<void> {
  const now = deps.clock.now();
  const park = (reason: string, given: unknown, position?: number) =>
    deps.parked.park(
      {
        queue: 'delivery-receipts',
        messageId: position === undefined ? messageId : `${messageId}#${position}`,
        body: typeof given === 'string' ? given : JSON.stringify(given),
      },
      reason,
      now,
    );
  const given = readEnvelope(body);
  if (!given) {
    work.addFields({ parked: 1 });
    work.addMetrics({ Parked: 1 });
    return park('not {"receipts": [...]} with 1 to 500 receipts', body);
  }
  const reads = given.map(readReceipt);
  const receipts = reads.flatMap((read) => ('receipt' in read ? [read.receipt.messageId] : []));
  const messages = await deps.messages.findMany(receipts, now);
  const counts = { recorded: 0, repeated: 0, parked: 0 };
  await inParallel(writesAtOnce, reads, async (read) => {
    const matched = match(read, messages);
    if ('reason' in matched) {
      await park(matched.reason, read.given, read.position);
      counts.parked += 1;
      return;
    }
    const { message, receipt } = matched;
    const isNew = await deps.states.record(message, receipt.state, Date.parse(receipt.time));
    counts[isNew ? 'recorded' : 'repeated'] += 1;
  });
  work.addFields({ ...counts, requestIds: requestIdsOf(messages) });
  work.addMetrics({
    ReceiptsRecorded: counts.recorded,
    ...(counts.parked > 0 ? { Parked: counts.parked } : {}),
  });
}

/** Receipts of one bulk send have the same request; of unrelated messages, the first few are named. */
function requestIdsOf(messages: ReadonlyMap<string, StoredMessage>): (string | undefined)[] {
  return [...new Set([...messages.values()].map(({ requestId }) => requestId))].slice(0, requestIdsShown);
}

function readEnvelope(body: string): unknown[] | undefined {
  try {
    return ReceiptEnvelope.parse(JSON.parse(body)).receipts;
  } catch {
    return undefined;
  }
}

function readReceipt(given: unknown, position: number): Read {
  const parsed = parse(Receipt, given);
  if (parsed.success) return { position, given, receipt: parsed.data };
  return { position, given, reason: formatIssues(parsed.error, `receipts[${position}]`).join('; ') };
}

type Match = { message: StoredMessage; receipt: Receipt } | { reason: string };

function match(read: Read, messages: ReadonlyMap<string, StoredMessage>): Match {
  if ('reason' in read) return read;
  const { receipt } = read;
  const message = messages.get(receipt.messageId);
  if (!message) return { reason: 'no message has this messageId' };
  if (message.msisdn !== receipt.msisdn) return { reason: 'the message went to another msisdn' };
  if (!message.registered) return { reason: 'the message was not sent, its msisdn was not registered' };
  return { message, receipt };
}
