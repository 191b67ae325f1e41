import { SQSClient } from '@aws-sdk/client-sqs';
import { endingInTime, leanClient } from '../runtime/lean-client.ts';
import type { Queue } from './send-all.ts';

export function connectQueue(url: string): Queue {
  return {
    url,
    client: endingInTime(
      leanClient(
        new SQSClient({
          maxAttempts: 3,
          requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
        }),
      ),
    ),
  };
}
