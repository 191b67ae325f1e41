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
