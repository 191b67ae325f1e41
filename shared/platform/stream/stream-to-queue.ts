import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { startWork, type Work } from '../logging/log.ts';
import { placesIn } from '../logging/readable-stack.ts';
import { type ParkedStore, parkMessage } from '../queues/parked-store.ts';
import { type Message, NotAllSent, type Queue, sendAll } from '../queues/queue.ts';
import { type Clock, minutes } from '../runtime/clock.ts';
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

type Steps<Row extends object, Known, Item> = {
  /** The function gets rows that have it. The filter of its mapping looks for it too. */
  marker: keyof typeof streamMarkers;
  /** Parses a change. A row for which it throws can never be read, and is parked. */
  read: (change: StreamChange) => Row;
  /** The reason with which such a row is parked. */
  unreadable: string;
  /** Reads other data that the rows of a batch need, all at once. */
  lookUp: (rows: Row[]) => Promise<Known>;
  /** The items to send for a row. */
  toItems: (row: Row, known: Known, addMetrics: Work['addMetrics']) => Promise<Item[]> | Item[];
  /** Items with the same key share a message, whichever row they come from. When left out, each item is a message. */
  sharing?: { by: (item: Item) => string; atMost: number };
  toMessage: (items: readonly Item[]) => Message;
};

/** Something with the position of the record that caused it; of several records, the first. */
type Numbered<Item> = { item: Item; position: number };

/** The records of an invocation, and how far it got. The stream delivers those from `resumeFrom` on again. */
type Batch = {
  code: ParkedQueue;
  deps: StreamDeps;
  work: Work;
  records: readonly DynamoDBRecord[];
  parked: Set<number>;
  resumeFrom: number;
  failure?: unknown;
};

/**
 * Makes the Lambda handler of a function that turns changes of the table into messages of a queue. A record that cannot
 * be processed is parked, and the others go on. Records are repeated from the first one for which a call failed, so a
 * message may be sent twice, and none is lost.
 */
export function streamToQueue<Row extends object, Known, Item>(
  code: ParkedQueue,
  deps: StreamDeps,
  steps: Steps<Row, Known, Item>,
) {
  return ({ Records }: DynamoDBStreamEvent, context?: Timed): Promise<DynamoDBBatchResponse> =>
    withinTime(context, async () => {
      const work = startWork(code, { records: Records.length });
      const records = Records.filter((record) => isMeant(record, steps.marker));
      const batch: Batch = { code, deps, work, records, parked: new Set(), resumeFrom: records.length };
      const rows = await readRows(batch, steps);
      const messages = await makeMessages(batch, steps, await makeItems(batch, steps, rows));
      await send(batch, messages);
      const { failure, resumeFrom } = batch;
      work.addFields({ messages: messages.length, requestIds: requestIdsOf(records) });
      if (resumeFrom < records.length) work.addFields({ fromRecord: resumeFrom });
      if (failure === undefined) work.done('done');
      else work.failed(failure, { partnerId: partnerOf(records[resumeFrom]) });
      const itemIdentifier = records[resumeFrom]?.dynamodb?.SequenceNumber;
      return { batchItemFailures: itemIdentifier === undefined ? [] : [{ itemIdentifier }] };
    });
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

function fail(batch: Batch, position: number, error: unknown): void {
  batch.failure = error;
  batch.resumeFrom = Math.min(batch.resumeFrom, position);
}

/** Parks a record with its reason, once. The line counts as a failure of its partner, for the rule that rolls back. */
async function park(batch: Batch, position: number, reason: string): Promise<void> {
  const { code, deps, work, records, parked } = batch;
  if (parked.has(position)) return;
  parked.add(position);
  work.addMetrics({ Failed: 1 });
  work.addFields({ status: '500', partnerId: partnerOf(records[position]) ?? '-' });
  const { dynamodb } = records[position] ?? {};
  const record = { messageId: dynamodb?.SequenceNumber ?? 'unknown', body: JSON.stringify(dynamodb) };
  await parkMessage(deps, work, { queue: code, record, reason });
}

/** Makes the function that parks the record of an item, unless the error may be a mistake of ours that a rollback ends. */
function parkWith(batch: Batch, what: string) {
  return async ({ position }: { position: number }, error: Error): Promise<void> => {
    const ageMs = batch.deps.clock.now() - (recordedAtOf(batch.records[position] ?? {}) ?? 0);
    if (error instanceof TypeError && ageMs < rolledBackWithinMs) throw error;
    batch.work.addFields({ stack: placesIn(error) });
    await park(batch, position, `${what} (${'code' in error ? error.code : error.name})`);
  };
}

/** The rows up to the first record that can be neither read nor parked. */
async function readRows<Row extends object>(
  batch: Batch,
  { read, unreadable }: Pick<Steps<Row, never, never>, 'read' | 'unreadable'>,
): Promise<Numbered<Row>[]> {
  const rows: Numbered<Row>[] = [];
  const parkRecord = parkWith(batch, unreadable);
  for (const [position, record] of batch.records.entries()) {
    try {
      rows.push({ item: read(changeIn(record)), position });
    } catch (unread) {
      try {
        await parkRecord({ position }, unread as Error);
      } catch (error) {
        fail(batch, position, error);
        break;
      }
    }
  }
  return rows;
}

async function makeItems<Row extends object, Known, Item>(
  batch: Batch,
  { lookUp, toItems }: Steps<Row, Known, Item>,
  rows: readonly Numbered<Row>[],
): Promise<Numbered<Item>[]> {
  const items: Numbered<Item>[] = [];
  const isHalfOver = halfOfTime();
  const parkRow = parkWith(batch, 'a row that it needs is gone or cannot be read');
  let at = rows[0]?.position ?? 0;
  try {
    const lookedUp = async (some: readonly Numbered<Row>[]) => ({
      some,
      known: await lookUp(some.map(({ item }) => item)),
    });
    for (const { some, known } of await inHalves(rows, lookedUp, parkRow)) {
      for (const row of some) {
        at = row.position;
        // The other half is for sending: a batch of large sends goes on in several invocations, each from where it got to.
        if (items.length > 0 && isHalfOver()) {
          batch.resumeFrom = at;
          return items;
        }
        const makeRowItems = () => toItems(row.item, known, batch.work.addMetrics);
        for (const item of (await inHalves([row], makeRowItems, parkRow)).flat())
          items.push({ item, position: row.position });
      }
    }
  } catch (error) {
    fail(batch, at, error);
  }
  return items;
}

async function makeMessages<Item>(
  batch: Batch,
  { sharing, toMessage }: Pick<Steps<never, never, Item>, 'sharing' | 'toMessage'>,
  items: readonly Numbered<Item>[],
): Promise<Numbered<Message>[]> {
  const { by, atMost } = sharing ?? { by: () => '', atMost: 1 };
  const messages: Numbered<Message>[] = [];
  const parkItem = parkWith(batch, 'no message can be made of it');
  for (const group of Map.groupBy(items, ({ item }) => by(item)).values()) {
    for (const some of inGroups(group, atMost)) {
      const made = (few: readonly Numbered<Item>[]) => ({
        item: toMessage(few.map(({ item }) => item)),
        position: few[0]?.position ?? 0,
      });
      try {
        messages.push(...(await inHalves(some, made, parkItem)));
      } catch (error) {
        fail(batch, some[0]?.position ?? 0, error);
      }
    }
  }
  // The stream delivers the records behind a failed one again with it, each time that it fails.
  return messages.filter(({ position }) => position < batch.resumeFrom);
}

async function send(batch: Batch, messages: readonly Numbered<Message>[]): Promise<void> {
  try {
    const sent = messages.map(({ item }) => item);
    await sendAll(batch.deps.queue, sent);
  } catch (error) {
    const unsent = error instanceof NotAllSent ? new Set(error.unsent) : undefined;
    const positions = messages.filter((_, n) => unsent?.has(n) ?? true).map(({ position }) => position);
    fail(batch, Math.min(...positions), error);
  }
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
