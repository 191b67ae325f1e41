import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Queue } from '../queues/send-all.ts';
import type { CallbackRef } from './callback.ts';
import { retryMessage } from './callback-message.ts';

/**
 * Sends a message to another queue unchanged. If the worker dies before it acknowledges its own copy, there are
 * two: of a retry one is void, and a first attempt may be made twice, as always when a worker dies.
 */
export async function forward(queue: Queue, message: { partnerId: string; body: string }): Promise<void> {
  await queue.client.send(
    new SendMessageCommand({
      QueueUrl: queue.url,
      MessageBody: message.body,
      MessageGroupId: message.partnerId,
    }),
  );
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
    await queue.client.send(
      new SendMessageCommand({
        QueueUrl: queue.url,
        MessageBody: retryMessage(row.ref, row.version),
        MessageGroupId: row.ref.partnerId,
        // Rounded up, so that it does not arrive early; SQS counts whole seconds.
        DelaySeconds: delayMs < 1_000 ? 0 : Math.ceil(delayMs / 1_000),
      }),
    );
    return true;
  } catch {
    return false;
  }
}
