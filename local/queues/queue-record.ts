import { account } from '../template/account.ts';

/** A message as `ReceiveMessage` gives it. */
export interface ReceivedMessage {
  readonly MessageId: string;
  readonly ReceiptHandle: string;
  readonly Body: string;
  readonly MD5OfBody: string;
  readonly MD5OfMessageAttributes?: string;
  readonly Attributes?: Readonly<Record<string, string>>;
  readonly MessageAttributes?: Readonly<Record<string, MessageAttribute>>;
}

interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string;
  readonly BinaryValue?: string;
}

function attributeOf({ DataType, StringValue, BinaryValue }: MessageAttribute) {
  return {
    ...(StringValue === undefined ? {} : { stringValue: StringValue }),
    ...(BinaryValue === undefined ? {} : { binaryValue: BinaryValue }),
    stringListValues: [],
    binaryListValues: [],
    dataType: DataType,
  };
}

/** The record of a Lambda event for one message. */
export function queueRecord(message: ReceivedMessage, queueArn: string) {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attributeOf(value)]),
    ),
    md5OfBody: message.MD5OfBody,
    ...(message.MD5OfMessageAttributes ? { md5OfMessageAttributes: message.MD5OfMessageAttributes } : {}),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: account.region,
  };
}

/** What a filter sees: the body as JSON where it is JSON. */
export function filterable(message: ReceivedMessage, queueArn: string): unknown {
  const record = queueRecord(message, queueArn);
  try {
    return { ...record, body: JSON.parse(record.body) };
  } catch {
    return record;
  }
}

/** Lambda stops filling an event at 6 MB: here so that a batch of large messages fits with room for its frame. */
const maxBatchBytes = 6_000_000;

/** Cuts what was received into events: never more than `batchSize` messages, never more bytes than Lambda takes. */
export function cutIntoBatches(messages: readonly ReceivedMessage[], batchSize: number): ReceivedMessage[][] {
  const batches: ReceivedMessage[][] = [];
  let batch: ReceivedMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    // Escaping can double a body that is itself JSON.
    const size = Buffer.byteLength(JSON.stringify(message.Body)) + 2_000;
    if (batch.length > 0 && (batch.length >= batchSize || bytes + size > maxBatchBytes)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(message);
    bytes += size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
