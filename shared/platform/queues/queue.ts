import { SQSClient } from '@aws-sdk/client-sqs';
import { abortingInTime, callLimits, trimMiddleware } from '../runtime/sdk-client.ts';
import type { Queue } from './send-all.ts';

export function connectQueue(url: string): Queue {
  return {
    url,
    client: abortingInTime(trimMiddleware(new SQSClient({ maxAttempts: 3, requestHandler: callLimits }))),
  };
}
