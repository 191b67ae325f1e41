import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Queue } from '../queues/send-all.ts';
import { minutes } from '../runtime/clock.ts';
import type { CallbackRef } from './callback.ts';
import { retryMessage } from './callback-message.ts';

/**
 * Passes a message on as it is. A worker that dies before it has acknowledged the one it received leaves two: of a
 * retry one is void, and a first attempt may be made twice, as whenever a worker dies.
 */
export async function passOn(queue: Queue, message: { partnerId: string; body: string }): Promise<void> {
  await queue.client.send(
    new SendMessageCommand({
      QueueUrl: queue.url,
      MessageBody: message.body,
      MessageGroupId: message.partnerId,
    }),
  );
}

/** SQS delays a message by 15 minutes at most; delayed messages do not count as in flight. */
export const longestDelayMs = minutes(15);

/**
 * Sends a message that arrives when the row's retry is due. Only a shortcut: the row is the truth, and `resume`
 * would send it within a minute of its time. False when the retry is too far away or the queue did not take it.
 */
export async function sendDelayed(
  queue: Queue,
  row: { ref: CallbackRef; version: number },
  waitMs: number,
): Promise<boolean> {
  if (waitMs > longestDelayMs) return false;
  try {
    await queue.client.send(
      new SendMessageCommand({
        QueueUrl: queue.url,
        MessageBody: retryMessage(row.ref, row.version),
        MessageGroupId: row.ref.partnerId,
        // Never early, but for waits that SQS cannot measure.
        DelaySeconds: waitMs < 1_000 ? 0 : Math.ceil(waitMs / 1_000),
      }),
    );
    return true;
  } catch {
    return false;
  }
}
