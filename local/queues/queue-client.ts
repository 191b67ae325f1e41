import type { Call } from '../engines/json-call.ts';
import type { ReceivedMessage } from './queue-record.ts';

/** One queue, in batches of any size. */
export interface QueueClient {
  receive(count: number, waitSeconds: number, signal: AbortSignal): Promise<readonly ReceivedMessage[]>;
  remove(messages: readonly ReceivedMessage[]): Promise<void>;
  /** Makes the messages visible again after so many seconds. */
  hide(messages: readonly ReceivedMessage[], seconds: number): Promise<void>;
}

interface Entry {
  readonly Id: string;
  readonly ReceiptHandle: string;
}

/** SQS takes and gives ten messages a call. */
const maxPerCall = 10;

async function inTens(
  messages: readonly ReceivedMessage[],
  send: (entries: readonly Entry[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < messages.length; start += maxPerCall) {
    const ten = messages.slice(start, start + maxPerCall);
    await send(ten.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })));
  }
}

export function queueClient(sqs: Call, QueueUrl: string): QueueClient {
  return {
    receive: async (count, waitSeconds, signal) => {
      const input = {
        QueueUrl,
        MaxNumberOfMessages: Math.min(count, maxPerCall),
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      };
      const { Messages } = await sqs<{ Messages?: readonly ReceivedMessage[] }>(
        'ReceiveMessage',
        input,
        signal,
      );
      return Messages ?? [];
    },
    remove: (messages) => inTens(messages, (Entries) => sqs('DeleteMessageBatch', { QueueUrl, Entries })),
    hide: (messages, seconds) =>
      inTens(messages, (entries) => {
        const Entries = entries.map((entry) => ({ ...entry, VisibilityTimeout: seconds }));
        return sqs('ChangeMessageVisibilityBatch', { QueueUrl, Entries });
      }),
  };
}
