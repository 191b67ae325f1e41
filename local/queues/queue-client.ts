import type { Message } from '@aws-sdk/client-sqs';
import type { Call } from '../engines/json-call.ts';
import { account } from '../template/account.ts';

/** A message as `ReceiveMessage` gives it in JSON: binary values are base64 texts. */
export type ReceivedMessage = Message & Record<'MessageId' | 'ReceiptHandle' | 'Body' | 'MD5OfBody', string>;

/** The record of a Lambda event for one message. */
export function queueRecord(message: ReceivedMessage, queueArn: string) {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    // No function reads those that a sender adds.
    messageAttributes: {},
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: account.region,
  };
}

export type QueueClient = ReturnType<typeof queueClient>;

/** The most messages that one call of SQS receives. All that are deleted or hidden together were received together. */
const maxPerCall = 10;
const longPollSeconds = 20;

/** A client of one queue, for messages that were received together. */
export function queueClient(sqs: Call, QueueUrl: string) {
  const callFor = async (operation: string, messages: readonly ReceivedMessage[], more: object = {}) => {
    const Entries = messages.map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
      ...more,
    }));
    if (messages.length > 0) await sqs(operation, { QueueUrl, Entries });
  };
  return {
    receive: async (count: number, signal: AbortSignal): Promise<readonly ReceivedMessage[]> => {
      const input = {
        QueueUrl,
        MaxNumberOfMessages: Math.min(count, maxPerCall),
        WaitTimeSeconds: longPollSeconds,
        MessageSystemAttributeNames: ['All'],
      };
      const received = await sqs<{ Messages?: readonly ReceivedMessage[] }>('ReceiveMessage', input, signal);
      return received.Messages ?? [];
    },
    remove: (messages: readonly ReceivedMessage[]) => callFor('DeleteMessageBatch', messages),
    /** Makes the messages visible again after this many seconds. */
    hide: (messages: readonly ReceivedMessage[], VisibilityTimeout: number) =>
      callFor('ChangeMessageVisibilityBatch', messages, { VisibilityTimeout }),
  };
}
