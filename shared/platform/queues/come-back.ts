import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { inReserve } from '../runtime/time-left.ts';
import type { Queue } from './send-all.ts';

/**
 * Calls of the failed try that were given up have been made by then, or never will be. A table responds in milliseconds,
 * and a client gives up after 5 s.
 */
const firstSeconds = 30;
/** With this limit, 20 tries that fail immediately are spread over 45 minutes, longer than most outages. */
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
