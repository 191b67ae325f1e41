import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { inReserve } from '../runtime/time-left.ts';
import type { Queue } from './send-all.ts';

const firstSeconds = 5;
/** With it, 20 tries that fail at once take three quarters of an hour, longer than most outages. */
const longestSeconds = 180;

/** After how many seconds a message is tried again that has been received so often. */
function secondsToRetry(receiveCount: number): number {
  return Math.min(longestSeconds, firstSeconds * 2 ** (receiveCount - 1));
}

/**
 * Makes a failed message visible again before the visibility timeout of its queue ends, which must be longer than the
 * function may run. If that fails too, the message comes back when the timeout ends.
 */
export function comesBackSoon({ client, url }: Queue) {
  return async ({ receiptHandle, attributes }: SQSRecord): Promise<void> => {
    const change = new ChangeMessageVisibilityCommand({
      QueueUrl: url,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: secondsToRetry(Number(attributes.ApproximateReceiveCount)),
    });
    // It may have failed because its time is over.
    await inReserve(() => client.send(change));
  };
}
