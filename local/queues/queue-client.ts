import type { Call } from '../engines/json-call.ts';
import type { ReceivedMessage } from './queue-record.ts';

export type QueueClient = ReturnType<typeof queueClient>;

/** The most messages that one call of SQS receives or deletes. */
const maxPerCall = 10;
const longPollSeconds = 20;

async function inTens(
  messages: readonly ReceivedMessage[],
  send: (entries: readonly { Id: string; ReceiptHandle: string }[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < messages.length; start += maxPerCall) {
    const ten = messages.slice(start, start + maxPerCall);
    await send(ten.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })));
  }
}

/** A client of one queue. It takes any number of messages and makes a call for each ten. */
export function queueClient(sqs: Call, QueueUrl: string) {
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
    remove: (messages: readonly ReceivedMessage[]) =>
      inTens(messages, (Entries) => sqs('DeleteMessageBatch', { QueueUrl, Entries })),
    /** Makes the messages visible again after this many seconds. */
    hide: (messages: readonly ReceivedMessage[], seconds: number) =>
      inTens(messages, (entries) => {
        const Entries = entries.map((entry) => ({ ...entry, VisibilityTimeout: seconds }));
        return sqs('ChangeMessageVisibilityBatch', { QueueUrl, Entries });
      }),
  };
}
