import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { startWork, type Work } from '../logging/log.ts';
import type { Clock } from '../runtime/clock.ts';
import { inGroups } from '../runtime/in-groups.ts';
import { inTimeOf, type Timed } from '../runtime/time-left.ts';
import { unlessItFails } from '../runtime/unless-it-fails.ts';
import type { ParkedQueue } from '../table/row-kinds.ts';
import { type ParkedStore, parkMessage } from './parked-store.ts';
import { type Message, NotAllSent, type Queue, sendAll } from './send-all.ts';

export type StreamDeps = { queue: Queue; parked: ParkedStore; clock: Clock };

/** A change of one row: as it is now, as it was before (absent when it is new), and when it changed. */
type StreamChange = { row: unknown; before: unknown; changedAtMs: number | undefined };

type Steps<Row extends object, Known, Item> = {
  /** Parses a change. A row for which it throws can never be read: it is parked, and the shard continues. */
  read: (change: StreamChange) => Row;
  /** The reason with which such a row is parked. */
  unreadable: string;
  /** Reads other data that the rows of a batch need, all at once. */
  lookUp: (rows: Row[]) => Promise<Known>;
  /** The items to send for a row. */
  itemsOf: (row: Row, known: Known, addMetrics: Work['addMetrics']) => Promise<Item[]> | Item[];
  /** Items with the same key share a message, whichever row they come from. When left out, each item is a message. */
  together?: { keyOf: (item: Item) => string; atMost: number };
  messageOf: (items: readonly Item[]) => Omit<Message, 'id'>;
};

/** A message with the position of the record that caused it; of several records, the first. */
type Numbered<Item> = { item: Item; position: number };

/** How far a batch got. The stream delivers the records from `failedFrom` on again. */
type BatchProgress = { work: Work; failedFrom: number; failure?: unknown };

/**
 * Makes the Lambda handler of a function that turns changes of the table into messages of a queue. Records are
 * repeated from the first one that could not be read or sent, so a message may be sent twice, and none is lost.
 */
export function streamToQueue<Row extends object, Known, Item>(
  code: ParkedQueue,
  deps: StreamDeps,
  steps: Steps<Row, Known, Item>,
) {
  return ({ Records }: DynamoDBStreamEvent, context?: Timed): Promise<DynamoDBBatchResponse> =>
    inTimeOf(context, async () => {
      const work = startWork(code, { records: Records.length });
      const progress: BatchProgress = { work, failedFrom: Records.length };
      const rows = await readRows({ code, deps, progress }, steps, Records);
      const messages = packed(steps, await itemsOfRows(progress, steps, rows));
      await send(deps, progress, messages);
      const { failure, failedFrom } = progress;
      work.addFields({ messages: messages.length, requestIds: requestIdsOf(Records) });
      if (failure === undefined) work.done('done');
      else work.failed(failure, { fromRecord: failedFrom, partnerId: partnerOf(Records[failedFrom]) });
      const itemIdentifier = Records[failedFrom]?.dynamodb?.SequenceNumber;
      return { batchItemFailures: itemIdentifier === undefined ? [] : [{ itemIdentifier }] };
    });
}

function fail(progress: BatchProgress, position: number, error: unknown): void {
  progress.failure = error;
  progress.failedFrom = Math.min(progress.failedFrom, position);
}

type Reading = { code: ParkedQueue; deps: StreamDeps; progress: BatchProgress };

/** The rows up to the first record that can be neither read nor parked. */
async function readRows<Row extends object>(
  { code, deps, progress }: Reading,
  { read, unreadable }: Pick<Steps<Row, never, never>, 'read' | 'unreadable'>,
  records: readonly DynamoDBRecord[],
): Promise<Numbered<Row>[]> {
  const rows: Numbered<Row>[] = [];
  for (const [position, record] of records.entries()) {
    try {
      const change = changeOf(record);
      const row = unlessItFails(() => read(change));
      if (row) rows.push({ item: row, position });
      else {
        const { SequenceNumber: messageId = 'unknown' } = record.dynamodb ?? {};
        const unread = { messageId, body: JSON.stringify(record.dynamodb) };
        await parkMessage(deps, progress.work, { queue: code, record: unread, reason: unreadable });
      }
    } catch (error) {
      fail(progress, position, error);
      break;
    }
  }
  return rows;
}

async function itemsOfRows<Row extends object, Known, Item>(
  progress: BatchProgress,
  { lookUp, itemsOf }: Steps<Row, Known, Item>,
  rows: readonly Numbered<Row>[],
): Promise<Numbered<Item>[]> {
  const items: Numbered<Item>[] = [];
  let at = rows[0]?.position ?? 0;
  try {
    const known = await lookUp(rows.map(({ item }) => item));
    for (const { item: row, position } of rows) {
      at = position;
      for (const item of await itemsOf(row, known, progress.work.addMetrics)) items.push({ item, position });
    }
  } catch (error) {
    fail(progress, at, error);
  }
  return items;
}

function packed<Item>(
  { together, messageOf }: Pick<Steps<never, never, Item>, 'together' | 'messageOf'>,
  items: readonly Numbered<Item>[],
): Numbered<Message>[] {
  const { keyOf, atMost } = together ?? { keyOf: () => '', atMost: 1 };
  const messages: Numbered<Message>[] = [];
  for (const group of Map.groupBy(items, ({ item }) => keyOf(item)).values()) {
    for (const some of inGroups(group, atMost)) {
      const message = { ...messageOf(some.map(({ item }) => item)), id: String(messages.length) };
      messages.push({ item: message, position: some[0]?.position ?? 0 });
    }
  }
  return messages;
}

async function send({ queue }: StreamDeps, progress: BatchProgress, messages: readonly Numbered<Message>[]) {
  try {
    const sent = messages.map(({ item }) => item);
    await sendAll(queue, sent);
  } catch (error) {
    const isUnsent = ({ id }: Message) => !(error instanceof NotAllSent) || error.unsent.includes(id);
    const positions = messages.filter(({ item }) => isUnsent(item)).map(({ position }) => position);
    fail(progress, Math.min(...positions), error);
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

function changeOf({ dynamodb }: DynamoDBRecord): StreamChange {
  const { NewImage, OldImage, ApproximateCreationDateTime: changedAt } = dynamodb ?? {};
  const changedAtMs = changedAt && Math.round(changedAt * 1_000);
  return { row: imageOf(NewImage), before: imageOf(OldImage), changedAtMs };
}

/** Binary values are base64 here; they are not used. */
function imageOf(image: object | undefined): unknown {
  return image && unmarshall(image as Record<string, AttributeValue>);
}
