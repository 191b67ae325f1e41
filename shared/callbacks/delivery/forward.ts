import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Queue } from '../../platform/queues/send-all.ts';
import type { CallbackRef } from '../callback.ts';
import { retryMessage } from '../callback-message.ts';

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
 * within a minute of its time. So it does not throw when the queue does not take the message.
 */
export async function sendDelayed(
  queue: Queue,
  { ref, version }: { ref: CallbackRef; version: number },
  delayMs: number,
): Promise<'sent' | 'not taken'> {
  try {
    // Rounded up, so that it does not arrive early; SQS counts whole seconds.
    const delaySeconds = delayMs < 1_000 ? 0 : Math.ceil(delayMs / 1_000);
    await forward(queue, { partnerId: ref.partnerId, body: retryMessage(ref, version), delaySeconds });
    return 'sent';
  } catch {
    return 'not taken';
  }
}
