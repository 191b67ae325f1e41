import { parkedStore } from '../../shared/platform/queues/parked-store.ts';
import {
  combiningWorker,
  type Delivery,
  parseMessageBody,
  type WorkItem,
} from '../../shared/platform/queues/queue-worker.ts';
import { unlessItFails } from '../../shared/platform/runtime/unless-it-fails.ts';
import { tableDeps } from '../../shared/platform/table/table.ts';
import { deliveryStateStore, type Report, rowOfReport } from '../../shared/push/delivery-state-store.ts';
import { exceptDamagedSends } from '../../shared/push/except-damaged-sends.ts';
import { sendIdOf } from '../../shared/push/message-id.ts';
import { messageReader } from '../../shared/push/message-reader.ts';
import type { StoredMessage } from '../../shared/push/message-rows.ts';
import { stateRowsAtOnce } from '../../shared/push/message-states.ts';
import { matchReceipt, ReceiptEnvelope, readReceipt } from '../../shared/push/receipt.ts';

type Deps = ReturnType<typeof connect>;

const messagesAtOnce = 3;
const requestIdsShown = 20;
const reasonsShown = 5;

/**
 * Records what devices reported. A receipt that cannot be read or matched is parked with its reason. The others of
 * all messages are recorded with one write for each row of states, each state once, however often it is reported.
 */
export function recordReceipts(deps = connect()) {
  return combiningWorker('RecordReceipts', {
    read: (delivery) => readReports(deps, delivery),
    groupBy: rowOfReport,
    apply: (parts) => recordRow(deps, parts),
    readsAtOnce: messagesAtOnce,
    groupsAtOnce: stateRowsAtOnce,
  });
}

async function recordRow({ states }: Deps, parts: readonly WorkItem<Report>[]): Promise<void> {
  const isNew = await states.record(parts.map(({ item }) => item));
  for (const [n, { work }] of parts.entries()) work.count(isNew[n] ? 'recorded' : 'repeated');
  parts[0]?.work.addMetrics({ ReceiptsRecorded: isNew.filter(Boolean).length });
}

/** Counts the first few reasons for the log line, without the positions of the receipts in their message. */
function countReason(counts: Record<string, number>, reason: string): void {
  const kind = reason.replaceAll(/\[\d+\]/g, '[]');
  const isShown = kind in counts || Object.keys(counts).length < reasonsShown;
  if (isShown) counts[kind] = (counts[kind] ?? 0) + 1;
}

/**
 * Reads the receipts of a message and matches them with their messages. Parks those for which this fails, together.
 * Those whose rows are damaged come again.
 */
async function readReports(deps: Deps, delivery: Delivery): Promise<Report[]> {
  const { record, work, fail } = delivery;
  const now = deps.clock.now();
  work.addFields({ recorded: 0, repeated: 0, parked: 0 });
  const given = parseMessageBody(ReceiptEnvelope, record.body)?.receipts;
  if (!given) {
    await park(deps, delivery, ['not {"receipts": [...]} with 1 to 500 receipts'], record.body);
    return [];
  }
  const reads = given.map(readReceipt);
  const messageIds = reads.flatMap((read) => ('reason' in read ? [] : [read.messageId]));
  const ofSends = Map.groupBy(messageIds, sendIdOf);
  const find = (sendIds: readonly string[]) =>
    deps.messages.findMany(
      sendIds.flatMap((sendId) => ofSends.get(sendId) ?? []),
      now,
    );
  const { results, failedSendIds } = await exceptDamagedSends(delivery, ofSends.keys(), find);
  const messages = new Map(results.flatMap((some) => [...some]));
  work.addFields({ requestIds: firstRequestIds(messages) });
  const sentAt = Number(record.attributes.SentTimestamp);
  const matched = reads
    .filter((read) => 'reason' in read || !failedSendIds.has(sendIdOf(read.messageId)))
    .map((read) => matchReceipt(read, messages, sentAt));
  const unusable = matched.filter((match) => 'reason' in match);
  if (unusable.length > 0) {
    const reasons = unusable.map(({ reason }) => reason);
    // A receipt can be nested too deeply to be written as JSON.
    const body = unlessItFails(() => JSON.stringify(unusable.map(({ kept }) => kept))) ?? record.body;
    // While nothing can be parked the others are recorded all the same.
    await park(deps, delivery, reasons, body).catch(fail);
  }
  return matched.filter((match) => 'message' in match);
}

/** Parks what cannot be recorded of a message in one row, with a line for each reason. */
async function park({ parked, clock }: Deps, { record, work }: Delivery, reasons: string[], body: string) {
  const parkedReasons: Record<string, number> = {};
  for (const reason of reasons) countReason(parkedReasons, reason);
  work.addFields({ parkedReasons });
  const lines = reasons.join('\n');
  await parked.park({ queue: 'delivery-receipts', id: record.messageId, body }, lines, clock.now());
  work.count('parked', reasons.length);
  work.addMetrics({ ReceiptsParked: reasons.length });
}

/** Names the first few requests that sent these messages: all messages of a bulk send have the same one. */
function firstRequestIds(messages: ReadonlyMap<string, StoredMessage>): (string | undefined)[] {
  return [...new Set([...messages.values()].map(({ requestId }) => requestId))].slice(0, requestIdsShown);
}

function connect() {
  return tableDeps({ parked: parkedStore, messages: messageReader, states: deliveryStateStore });
}
