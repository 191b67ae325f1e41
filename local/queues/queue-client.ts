import type { Call } from '../engines/json-call.ts';
import type { ReceivedMessage } from './queue-record.ts';

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
