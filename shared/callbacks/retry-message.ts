import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Queue } from '../queues/send-all.ts';
import type { CallbackRef } from './callback.ts';
import { retryMessage } from './callback-message.ts';

/**
 * Sends a message that a worker has, or a part of it. If the worker dies before it acknowledges its own copy, there
 * are two: of a retry one is void, and a first attempt may be made twice, as always when a worker dies.
 */
export async function forward(
  { client, url }: Queue,
  { partnerId, body, delaySeconds }: { partnerId: string; body: string; delaySeconds?: number },
): Promise<void> {
  const message = { QueueUrl: url, MessageBody: body, MessageGroupId: partnerId, DelaySeconds: delaySeconds };
  await client.send(new SendMessageCommand(message));
}

/**
 * Sends a message that arrives when the row's retry is due. Only a shortcut: without it `resume` sends the row
 * within a minute of its time. So it returns false, and does not throw, when the queue does not take the message.
 */
export async function sendDelayed(
  queue: Queue,
  row: { ref: CallbackRef; version: number },
  delayMs: number,
): Promise<boolean> {
  try {
    // Rounded up, so that it does not arrive early; SQS counts whole seconds.
    const delaySeconds = delayMs < 1_000 ? 0 : Math.ceil(delayMs / 1_000);
    const body = retryMessage(row.ref, row.version);
    await forward(queue, { partnerId: row.ref.partnerId, body, delaySeconds });
    return true;
  } catch {
    return false;
  }
}
