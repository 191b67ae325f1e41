import { randomUUID } from 'node:crypto';
import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { inject } from 'vitest';
import { queueRecord, type ReceivedMessage } from '../../local/queues/queue-client.ts';
import { connectQueue, type Queue } from '../../shared/platform/queues/queue.ts';
import { engineAccess } from './engine-access.ts';

export type TestQueue = Queue & {
  /** Removes everything from the queue, and returns it in order as the records of Lambda events. */
  drain: () => Promise<SQSRecord[]>;
};

/** Creates a FIFO queue on the shared engine. */
export function newFifoQueue(): Promise<TestQueue> {
  return newQueue('.fifo', { FifoQueue: 'true' });
}

/** Creates a queue on the shared engine. Its client is that of deployed functions. */
export async function newQueue(suffix = '', attributes: Record<string, string> = {}): Promise<TestQueue> {
  const { client } = connectQueue('', { ...engineAccess, endpoint: inject('sqsEndpoint') });
  const { QueueUrl: url = '' } = await client.send(
    new CreateQueueCommand({ QueueName: `queue-${randomUUID()}${suffix}`, Attributes: attributes }),
  );
  return { client, url, drain: () => drain({ client, url }) };
}

/** Removes everything from the queue, and returns it in order as the records of Lambda events. */
async function drain({ client, url }: Queue): Promise<SQSRecord[]> {
  const records: SQSRecord[] = [];
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    if (Messages.length === 0) return records;
    for (const message of Messages as ReceivedMessage[]) {
      records.push(queueRecord(message, '') as unknown as SQSRecord);
      await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message.ReceiptHandle }));
    }
  }
}

/** Returns the same messages as in a redelivery. */
export function redelivered(records: readonly SQSRecord[], receiveCount: number): SQSEvent {
  return {
    Records: records.map((record) => ({
      ...record,
      attributes: { ...record.attributes, ApproximateReceiveCount: String(receiveCount) },
    })),
  };
}

/**
 * Returns what functions read of the record of a message in a Lambda event, at its first delivery. Anything but text is
 * sent as JSON. The message was sent in the far future unless a test says when.
 */
export function sqsRecord(message: unknown, sentAtMs = Date.UTC(2100, 0)): SQSRecord {
  return {
    messageId: randomUUID(),
    receiptHandle: 'r',
    body: typeof message === 'string' ? message : JSON.stringify(message),
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(sentAtMs) },
  } as SQSRecord;
}
