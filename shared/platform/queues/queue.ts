import {
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import { inGroupsWithin } from '../runtime/in-groups.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { abortingInTime, callLimits, trimMiddleware } from '../runtime/sdk-client.ts';
import { isTemporary, repeated, timeoutSignal } from '../runtime/time-left.ts';

export type Queue = { client: SQSClient; url: string };

export function connectQueue(url: string, config: SQSClientConfig = {}): Queue {
  const client = new SQSClient({ maxAttempts: 3, requestHandler: callLimits, ...config });
  return { url, client: abortingInTime(trimMiddleware(client)) };
}

/**
 * SQS serves the groups of a queue fairly; `deduplicationId` is for FIFO queues, `delaySeconds` (up to 900) for others.
 * A message that `isVoid` when its turn comes is left out, and counts as sent.
 */
export type Message = {
  body: string;
  group?: string;
  deduplicationId?: string;
  delaySeconds?: number;
  isVoid?: () => boolean;
};
/** A message with its position among those of the call. */
type Placed = Message & { position: number };

/** SQS takes 10 messages and 1 MiB a batch, attributes included; some room is left for those. */
const batchLimit = { items: 10, bytes: 1_040_000 };
/** A call takes about 10 ms, nearly all of it waiting: five at once keep the CPU busy. */
const batchesAtOnce = 5;

/** Thrown when the queue did not take everything: `unsent` are the positions of those that it did not acknowledge. */
export class NotAllSent extends Error {
  readonly unsent: number[];
  constructor(unsent: number[], cause?: unknown) {
    super(`${unsent.length} messages were not taken by the queue`, { cause });
    this.name = 'NotAllSent';
    this.unsent = unsent;
  }
}

/**
 * Sends every message, or throws NotAllSent. Batches are sent side by side, so messages of more than one may arrive in
 * any order. A batch may be accepted in part (Failed): the rest is sent again. Every batch is tried, even after a
 * failure, while the function has time: each call that is aborted at once would still take some.
 */
export async function sendAll(queue: Queue, messages: readonly Message[]): Promise<void> {
  const unsent: number[] = [];
  let firstCause: unknown;
  await inParallel(batchesAtOnce, pack(messages), async (batch) => {
    const { left, cause } = await sendBatch(queue, batch);
    firstCause ??= cause;
    unsent.push(...left.map(({ position }) => position));
  });
  if (unsent.length > 0) throw new NotAllSent(unsent, firstCause);
}

/** Sends one message, which is not tried again: if the queue does not take it, the error of the SDK is thrown. */
export async function sendOne(
  { client, url }: Queue,
  { body, group, delaySeconds }: Pick<Message, 'body' | 'group'> & { delaySeconds: number | undefined },
): Promise<void> {
  const message = { MessageBody: sendable(body), MessageGroupId: group, DelaySeconds: delaySeconds };
  await client.send(new SendMessageCommand({ QueueUrl: url, ...message }));
}

/** The messages that the queue did not take. `isFinal` means that a repetition would not help. */
type Rest = { left: Placed[]; isFinal: boolean; cause?: unknown };

async function sendBatch(queue: Queue, batch: Placed[]): Promise<Rest> {
  let rest: Rest = { left: batch, isFinal: false };
  if (timeoutSignal()?.aborted) return rest;
  await repeated(async () => {
    const left = rest.left.filter(({ isVoid }) => !isVoid?.());
    rest = left.length === 0 ? { left, isFinal: false } : await sendOnce(queue, left);
    return rest.left.length === 0 || rest.isFinal || undefined;
  });
  return rest;
}

async function sendOnce({ client, url }: Queue, messages: Placed[]): Promise<Rest> {
  try {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: url,
        Entries: messages.map(({ position, body, group, deduplicationId, delaySeconds }) => ({
          Id: String(position),
          MessageBody: body,
          MessageGroupId: group,
          MessageDeduplicationId: deduplicationId,
          DelaySeconds: delaySeconds,
        })),
      }),
    );
    const failed = new Set(Failed.map(({ Id }) => Id));
    return {
      left: messages.filter(({ position }) => failed.has(String(position))),
      isFinal: Failed.some(({ SenderFault }) => SenderFault),
      cause: Failed[0]?.Message,
    };
  } catch (cause) {
    return { left: messages, isFinal: !isTemporary(cause), cause };
  }
}

/**
 * SQS refuses a message, and its whole batch, for U+FFFE and U+FFFF, and its emulators for all characters of two
 * UTF-16 units (an emoji). Bodies are JSON, which can escape any unit in ASCII.
 */
function sendable(json: string): string {
  return json.replace(/[\ud800-\udfff\ufffe\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}

function pack(messages: readonly Message[]): Placed[][] {
  const all = messages.map((message, position) => ({ ...message, position, body: sendable(message.body) }));
  return inGroupsWithin(batchLimit, all, ({ body }) => Buffer.byteLength(body));
}
