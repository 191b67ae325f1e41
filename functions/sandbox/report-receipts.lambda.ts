import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { reportReceipts } from './report-receipts.ts';

export const handler = reportReceipts({
  queue: connectQueue(readEnv('RECEIPTS_QUEUE_URL').RECEIPTS_QUEUE_URL),
});
