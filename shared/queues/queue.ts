import { SQSClient } from '@aws-sdk/client-sqs';
import type { Queue } from './send-all.ts';

export const connectQueue = (url: string): Queue => ({
  url,
  client: new SQSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  }),
});
