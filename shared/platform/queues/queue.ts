import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { abortingInTime, callLimits, trimMiddleware } from '../runtime/sdk-client.ts';
import type { Queue } from './send-all.ts';

export function connectQueue(url: string, config: SQSClientConfig = {}): Queue {
  const client = new SQSClient({ maxAttempts: 3, requestHandler: callLimits, ...config });
  return { url, client: abortingInTime(trimMiddleware(client)) };
}
