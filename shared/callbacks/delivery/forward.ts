import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Queue } from '../../platform/queues/send-all.ts';

/** Sends a message, or a part of it, again. If the worker dies before it deletes the original, both are delivered. */
export async function forward(
  { client, url }: Queue,
  { partnerId, body, delaySeconds }: { partnerId: string; body: string; delaySeconds?: number },
): Promise<void> {
  const message = { QueueUrl: url, MessageBody: body, MessageGroupId: partnerId, DelaySeconds: delaySeconds };
  await client.send(new SendMessageCommand(message));
}
