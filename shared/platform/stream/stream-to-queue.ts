import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { startWork, type Work } from '../logging/log.ts';
import { placesIn } from '../logging/readable-stack.ts';
import { type ParkedStore, parkMessage } from '../queues/parked-store.ts';
import { type Message, NotAllSent, type Queue, sendAll } from '../queues/queue.ts';
import { type Clock, minutes } from '../runtime/clock.ts';
import { isDataError } from '../runtime/data-error.ts';
import { inGroups } from '../runtime/in-groups.ts';
import { inHalves } from '../runtime/in-halves.ts';
import { halfOfTime, type Timed, withinTime } from '../runtime/time-left.ts';
import { isHeartbeat } from '../table/row-keys/workers.ts';
import type { ParkedQueue } from '../table/row-kinds.ts';
import { marked, streamMarkers } from '../table/stream-markers.ts';

/** A mistake in new code gets rolled back in some minutes. Until then the records that meet it come again. */
const rolledBackWithinMs = minutes(15);

export type StreamDeps = { queue: Queue; parked: ParkedStore; clock: Clock };

/** A change of one row: as it is now, as it was before (absent when it is new), and when it changed. */
export type StreamChange = { row: unknown; before: unknown; recordedAtMs: number | undefined };

type Steps<Row, Known, Item> = {
  /** The function gets rows that have it. The filter of its mapping looks for it too. */
  marker: keyof typeof streamMarkers;
  /** Parses a change. */
  read: (change: StreamChange) => Row;
  /** Reads other data that the rows of a batch need, all at once. When left out, rows are processed one by one. */
  lookUp?: (rows: Row[]) => Promise<Known>;
  /** The items to send for a row. */
  toItems: (row: Row, known: Known, addMetrics: Work['addMetrics']) => Promise<Item[]> | Item[];
  /** Items with the same key share a message, whichever row they come from. When left out, each item is a message. */
  sharing?: { by: (item: Item) => string; atMost: number };
  toMessage: (items: readonly Item[]) => Message;
};

/** Something with the position of the record that caused it; of several records, the first. */
type Numbered<Item> = { item: Item; position: number };

/**
 * Makes the Lambda handler of a function that turns changes of the table into messages of a queue. A record that cannot
 * be processed is parked, and the others go on. Records are repeated from the first one for which a call failed, so a
 * message may be sent twice, and none is lost.
 */
export function streamToQueue<Row, Known, Item>(
  code: ParkedQueue,
  deps: StreamDeps,
  steps: Steps<Row, Known, Item>,
) {
  return ({ Records }: DynamoDBStreamEvent, context?: Timed): Promise<DynamoDBBatchResponse> =>
    withinTime(context, async () => {
      const work = startWork(code, { records: Records.length });
      const records = Records.filter((record) => isMeant(record, steps.marker));
      const made = await processRecords({ code, deps, work }, steps, records);
      const unsent = await sendMessages(deps.queue, made.messages);
      const { failure, resumeFrom } = { ...made, ...unsent };
      work.addFields({ messages: made.messages.length, requestIds: requestIdsOf(records) });
      if (resumeFrom < records.length) work.addFields({ fromRecord: resumeFrom });
      if (failure === undefined) work.done('done');
      else work.failed(failure, { partnerId: partnerOf(records[resumeFrom]) });
      const itemIdentifier = records[resumeFrom]?.dynamodb?.SequenceNumber;
      return { batchItemFailures: itemIdentifier === undefined ? [] : [{ itemIdentifier }] };
    });
}

/** The stream delivers the records of a batch from `resumeFrom` on again, after a `failure` or half of the time. */
type Progress = { resumeFrom: number; failure?: unknown };

/**
 * Makes the messages of the records, up to one for which a call fails, or to half of the time. The other half is for
 * sending: a batch that takes long goes on in several invocations, each from where it got to.
 */
async function processRecords<Row, Known, Item>(
  parking: Parking,
  steps: Steps<Row, Known, Item>,
  records: readonly DynamoDBRecord[],
): Promise<Progress & { messages: Numbered<Message>[] }> {
  const messages: Numbered<Message>[] = [];
  const isHalfOver = halfOfTime();
  let isEnough = false;
  let resumeFrom = 0;
  const makeMessages = async (some: readonly Numbered<DynamoDBRecord>[]) => {
    if (isEnough) return;
    resumeFrom = some[0]?.position ?? 0;
    const rows = some.map(({ item, position }) => ({ item: readRow(steps, item), position }));
    const known = (await steps.lookUp?.(rows.map(({ item }) => item))) as Known;
    const items: Numbered<Item>[] = [];
    let failure: unknown;
    try {
      for (const { item: row, position } of rows) {
        resumeFrom = position;
        isEnough = messages.length + items.length > 0 && isHalfOver();
        if (isEnough) break;
        for (const item of await steps.toItems(row, known, parking.work.addMetrics))
          items.push({ item, position });
      }
    } catch (error) {
      if (isDataError(error)) throw error;
      failure = error;
    }
    messages.push(...inMessages(steps, items));
    if (failure) throw failure;
  };
  const setAside = ({ item }: Numbered<DynamoDBRecord>, error: Error) => park(parking, item, error);
  const numbered = records.map((item, position) => ({ item, position }));
  try {
    for (const some of inGroups(numbered, steps.lookUp ? records.length : 1))
      await inHalves(some, makeMessages, setAside);
    return { messages, resumeFrom: isEnough ? resumeFrom : records.length };
  } catch (failure) {
    return { messages, resumeFrom, failure };
  }
}

/** Returns where to resume if not all could be sent. */
async function sendMessages(
  queue: Queue,
  messages: readonly Numbered<Message>[],
): Promise<Progress | undefined> {
  try {
    const sent = messages.map(({ item }) => item);
    await sendAll(queue, sent);
    return undefined;
  } catch (failure) {
    const unsent = failure instanceof NotAllSent ? failure.unsent : [0];
    const positions = unsent.map((n) => messages[n]?.position ?? 0);
    // More than Math.min takes as arguments may be unsent.
    return { failure, resumeFrom: positions.reduce((a, b) => Math.min(a, b)) };
  }
}

/** Reading makes no calls, so whatever it throws is the fault of the row. */
function readRow<Row>({ read }: Pick<Steps<Row, never, never>, 'read'>, record: DynamoDBRecord): Row {
  try {
    return read(changeIn(record));
  } catch (error) {
    throw isDataError(error)
      ? error
      : Object.assign(new RangeError(String(error)), { stack: (error as Error).stack });
  }
}

/** Items that may share a message do so, whichever of the records they come from. */
function inMessages<Item>(
  { sharing, toMessage }: Pick<Steps<never, never, Item>, 'sharing' | 'toMessage'>,
  items: readonly Numbered<Item>[],
): Numbered<Message>[] {
  const { by, atMost } = sharing ?? { by: () => '', atMost: 1 };
  const alike = Map.groupBy(items, ({ item }) => by(item)).values();
  return [...alike].flatMap((group) =>
    inGroups(group, atMost).map((some) => ({
      item: toMessage(some.map(({ item }) => item)),
      position: some[0]?.position ?? 0,
    })),
  );
}

/**
 * True if there is work to do for a record. A heartbeat has done its work when it invokes the function, and records that
 * an operator has read from the stream have met no filter.
 */
function isMeant({ dynamodb }: DynamoDBRecord, marker: keyof typeof streamMarkers): boolean {
  const row = dynamodb?.NewImage;
  return row?.[streamMarkers[marker]]?.S === marked && !isHeartbeat(row['pk']?.S ?? '');
}

/** The time of a change, ms. Lambda gives seconds; AWS's command line, by which operators read the stream, a text. */
function recordedAtOf({ dynamodb }: DynamoDBRecord): number | undefined {
  const changedAt = dynamodb?.ApproximateCreationDateTime as number | string | undefined;
  return typeof changedAt === 'string' ? Date.parse(changedAt) : changedAt && Math.round(changedAt * 1_000);
}

type Parking = { code: ParkedQueue; deps: StreamDeps; work: Work };

/**
 * Parks a record that cannot be processed, unless the error may be a mistake of ours that a rollback ends. The line counts
 * as a failure of its partner, for the rule that rolls back.
 */
async function park({ code, deps, work }: Parking, record: DynamoDBRecord, error: Error): Promise<void> {
  const ageMs = deps.clock.now() - (recordedAtOf(record) ?? 0);
  if (error instanceof TypeError && ageMs < rolledBackWithinMs) throw error;
  work.addMetrics({ Failed: 1 });
  work.addFields({ stack: placesIn(error), status: '500', partnerId: partnerOf(record) ?? '-' });
  const { dynamodb } = record;
  const reason = `it, or a row that it needs, cannot be processed (${'code' in error ? error.code : error.name})`;
  const body = JSON.stringify(dynamodb);
  const parked = { messageId: dynamodb?.SequenceNumber ?? 'unknown', body };
  await parkMessage(deps, work, { queue: code, record: parked, reason });
}

/** The requests that caused the rows. */
function requestIdsOf(records: readonly DynamoDBRecord[]): string[] {
  return [...new Set(records.flatMap(({ dynamodb }) => dynamodb?.NewImage?.['requestId']?.S ?? []))];
}

/** The partner of a record, which every row of a message names. */
function partnerOf(record: DynamoDBRecord | undefined): string | undefined {
  return record?.dynamodb?.NewImage?.['partnerId']?.S;
}

function changeIn(record: DynamoDBRecord): StreamChange {
  const { NewImage, OldImage } = record.dynamodb ?? {};
  return { row: readImage(NewImage), before: readImage(OldImage), recordedAtMs: recordedAtOf(record) };
}

/** Binary values are base64 here; they are not used. */
function readImage(image: object | undefined): unknown {
  return image && unmarshall(image as Record<string, AttributeValue>);
}
