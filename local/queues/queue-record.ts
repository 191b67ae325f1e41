import type { Message } from '@aws-sdk/client-sqs';
import { account } from '../template/account.ts';

/** A message as `ReceiveMessage` gives it in JSON: binary values are base64 texts. */
export type ReceivedMessage = Message & Record<'MessageId' | 'ReceiptHandle' | 'Body' | 'MD5OfBody', string>;

/** The record of a Lambda event for one message. */
export function queueRecord(message: ReceivedMessage, queueArn: string) {
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(([name, attribute]) => [
    name,
    {
      stringValue: attribute.StringValue,
      binaryValue: attribute.BinaryValue,
      stringListValues: [],
      binaryListValues: [],
      dataType: attribute.DataType,
    },
  ]);
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: message.MD5OfBody,
    md5OfMessageAttributes: message.MD5OfMessageAttributes,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: account.region,
  };
}
