import { SQSClient } from '@aws-sdk/client-sqs';
import { abortingInTime, trimMiddleware } from '../runtime/sdk-client.ts';
import type { Queue } from './send-all.ts';

export function connectQueue(url: string): Queue {
  return {
    url,
    client: abortingInTime(
      trimMiddleware(
        new SQSClient({
          maxAttempts: 3,
          requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
        }),
      ),
    ),
  };
}
