import { jsonOrText } from '../../shared/platform/json/json-or-text.ts';
import { parkedStore } from '../../shared/platform/queues/parked-store.ts';
import { combiningWorker, type Delivery, type WorkItem } from '../../shared/platform/queues/queue-worker.ts';
import { tableDeps } from '../../shared/platform/table/table.ts';
import { firstSentences, formatIssues, parse } from '../../shared/platform/validation/format-issues.ts';
import { deliveryStateStore, type Report, rowOfReport } from '../../shared/push/delivery-state-store.ts';
import { exceptDamagedSends } from '../../shared/push/except-damaged-sends.ts';
import { sendIdOf } from '../../shared/push/message-id.ts';
import { messageReader } from '../../shared/push/message-reader.ts';
import type { StoredMessage } from '../../shared/push/message-rows.ts';
import { stateRowsAtOnce } from '../../shared/push/message-states.ts';
import { matchReceipt, ReceiptEnvelope, readReceipt, receiptsPerMessage } from '../../shared/push/receipt.ts';

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

/**
 * Reads the receipts of a message and matches them with their messages. Parks those for which this fails, together.
 * Those whose rows are damaged come again.
 */
async function readReports(deps: Deps, delivery: Delivery): Promise<Report[]> {
  const { record, work, fail } = delivery;
  const now = deps.clock.now();
  work.addFields({ recorded: 0, repeated: 0, parked: 0 });
  const content = jsonOrText(record.body);
  const envelope = parse(ReceiptEnvelope, content);
  if (!envelope.success) {
    const reasons = content === record.body ? ['body: is not valid JSON'] : formatIssues(envelope.error);
    // It may have held as many receipts as a message takes: one such message is enough to page.
    await park(deps, delivery, { count: 1, receipts: receiptsPerMessage, reasons, body: record.body });
    return [];
  }
  const reads = envelope.data.receipts.map(readReceipt);
  const messageIds = reads.flatMap((read) => ('issues' in read ? [] : [read.messageId]));
  const ofSends = Map.groupBy(messageIds, sendIdOf);
  const find = (sendIds: readonly string[]) =>
    deps.messages.findMany(
      sendIds.flatMap((sendId) => ofSends.get(sendId) ?? []),
      now,
    );
  const { results, failedSendIds } = await exceptDamagedSends(delivery, deps.messages, ofSends.keys(), find);
  const messages = new Map(results.flatMap((some) => [...some]));
  work.addFields({ requestIds: firstRequestIds(messages) });
  const sentAt = Number(record.attributes.SentTimestamp);
  const matched = reads
    .filter((read) => 'issues' in read || !failedSendIds.has(sendIdOf(read.messageId)))
    .map((read) => matchReceipt(read, messages, sentAt));
  const unusable = matched.filter((match) => 'issues' in match);
  if (unusable.length > 0) {
    const reasons = formatIssues({ issues: unusable.flatMap(({ issues }) => issues) });
    const body = JSON.stringify(unusable.map(({ kept }) => kept));
    // While nothing can be parked the others are recorded all the same.
    await park(deps, delivery, { count: unusable.length, reasons, body }).catch(fail);
  }
  return matched.filter((match) => 'message' in match);
}

/** `receipts` is how many a message may have held that cannot be read. */
type Parked = { count: number; receipts?: number; reasons: string[]; body: string };

/** Parks what cannot be recorded of a message in one row, with a line for each reason. */
async function park(
  { parked, clock }: Deps,
  { record, work }: Delivery,
  { count, receipts = count, reasons, body }: Parked,
) {
  work.addFields({ parkedReasons: firstSentences(reasons, reasonsShown) });
  const lines = reasons.join('\n');
  const isNew = await parked.park(
    { queue: 'delivery-receipts', id: record.messageId, body },
    lines,
    clock.now(),
  );
  work.count('parked', count);
  // The message comes again if others of its receipts cannot be recorded. At its first delivery the row may be there because
  // the SDK has repeated the write.
  const isFirst = Number(record.attributes.ApproximateReceiveCount) === 1;
  if (isNew || isFirst) work.addMetrics({ ReceiptsParked: receipts });
}

/** Names the first few requests that sent these messages: all messages of a bulk send have the same one. */
function firstRequestIds(messages: ReadonlyMap<string, StoredMessage>): (string | undefined)[] {
  return [...new Set([...messages.values()].map(({ requestId }) => requestId))].slice(0, requestIdsShown);
}

function connect() {
  return tableDeps({ parked: parkedStore, messages: messageReader, states: deliveryStateStore });
}
