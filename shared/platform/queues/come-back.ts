import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { inReserve } from '../runtime/time-left.ts';
import type { Queue } from './send-all.ts';

/**
 * Longer than a call that the failed try gave up can still take effect: the table responds in milliseconds, and the
 * client gives up after 1.5 s.
 */
const firstSeconds = 30;
/** This limit spreads 20 tries that fail immediately over 50 minutes, longer than most outages. */
const longestSeconds = 180;

/**
 * Makes a failed message visible again before the visibility timeout of its queue ends, which must be longer than the
 * function may run. If that fails too, the message comes back when the timeout ends.
 */
export function comesBackSoon({ client, url }: Queue) {
  return async ({ receiptHandle, attributes }: SQSRecord): Promise<void> => {
    const earlierTries = Number(attributes.ApproximateReceiveCount) - 1;
    const change = new ChangeMessageVisibilityCommand({
      QueueUrl: url,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: Math.min(longestSeconds, firstSeconds * 2 ** earlierTries),
    });
    // The message may have failed because the function's time is over.
    await inReserve(() => client.send(change));
  };
}
