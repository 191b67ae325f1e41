import type { Message } from '@aws-sdk/client-sqs';
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
