import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Pause } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import { startWork, type Work } from '../runtime/log.ts';
import type { ParkedQueue } from '../table/row-kinds.ts';
import type { ParkedStore } from './parked-store.ts';
import { type Message, NotAllSent, type Queue, sendInAnyOrder } from './send-all.ts';

export type StreamDeps = { queue: Queue; parked: ParkedStore; clock: Clock; pause?: Pause };

/** A change of one row: as it is now, as it was before (absent when it is new), and when it changed. */
export type Change = { row: unknown; before?: unknown; changedAtMs?: number };

/** Thrown for a row that cannot be read, now or later: it is parked, and the shard goes on. */
export class UnreadableRow extends Error {}

/** The id of the request that caused the row. */
const Traced = z.object({ requestId: z.optional(z.string()) });

type Numbered = { message: Message; position: number };

/**
 * Makes the Lambda handler of a function that turns changes of the table into messages of a queue. Records are
 * repeated from the first one that could not be read or sent, so a message may be sent twice, and none is lost.
 */
export function streamToQueue(
  code: ParkedQueue,
  deps: StreamDeps,
  messagesOf: (change: Change, addMetrics: Work['addMetrics']) => Promise<Message[]>,
) {
  return async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const work = startWork(code, { records: Records.length });
    const requestIds = new Set<string>();
    const messages: Numbered[] = [];
    let firstFailed = Records.length;
    let failure: unknown;
    for (const [position, record] of Records.entries()) {
      try {
        const change = changeOf(record);
        const { requestId } = Traced.safeParse(change.row).data ?? {};
        if (requestId) requestIds.add(requestId);
        const found = await messagesOf(change, work.addMetrics).catch(
          parkUnreadable(deps, { code, record, work }),
        );
        messages.push(...found.map((message) => numbered(message, position)));
      } catch (error) {
        firstFailed = position;
        failure = error;
        break;
      }
    }
    try {
      await sendInAnyOrder(
        deps.queue,
        messages.map(({ message }) => message),
        deps.pause,
      );
    } catch (error) {
      failure = error;
      firstFailed = Math.min(firstFailed, ...positionsOf(messages, error));
    }
    work.addFields({ messages: messages.length, requestIds: [...requestIds] });
    if (failure === undefined) work.done('done');
    else work.failed(failure, { fromRecord: firstFailed });
    const itemIdentifier = Records[firstFailed]?.dynamodb?.SequenceNumber;
    return { batchItemFailures: itemIdentifier === undefined ? [] : [{ itemIdentifier }] };
  };
}

/** Ids are unique within one call of the queue; those that `messagesOf` gave are unique within their record. */
function numbered(message: Message, position: number): Numbered {
  return {
    message: { ...message, id: `${position}-${message.id}` },
    position,
  };
}

function positionsOf(messages: readonly Numbered[], error: unknown): number[] {
  return messages
    .filter(({ message }) => !(error instanceof NotAllSent) || error.unsent.includes(message.id))
    .map(({ position }) => position);
}

function changeOf({ dynamodb }: DynamoDBRecord): Change {
  const changedAt = dynamodb?.ApproximateCreationDateTime;
  return {
    row: imageOf(dynamodb?.NewImage),
    ...(dynamodb?.OldImage ? { before: imageOf(dynamodb.OldImage) } : {}),
    ...(changedAt === undefined ? {} : { changedAtMs: Math.round(changedAt * 1_000) }),
  };
}

/** Binary values are base64 here; they are not used. */
function imageOf(image: object | undefined): unknown {
  return image && unmarshall(image as Record<string, AttributeValue>);
}

function parkUnreadable(
  { parked, clock }: StreamDeps,
  { code, record, work }: { code: ParkedQueue; record: DynamoDBRecord; work: Work },
) {
  return async (error: unknown): Promise<Message[]> => {
    if (!(error instanceof UnreadableRow)) throw error;
    work.addFields({ parked: error.message });
    work.addMetrics({ Parked: 1 });
    const messageId = record.dynamodb?.SequenceNumber ?? 'unknown';
    const body = JSON.stringify(record.dynamodb);
    await parked.park({ queue: code, messageId, body }, error.message, clock.now());
    return [];
  };
}
