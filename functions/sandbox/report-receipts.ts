import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { combiningWorker } from '../../shared/platform/queues/queue-worker.ts';
import { sendAll } from '../../shared/platform/queues/send-all.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';

/** The simulated wallet platform: reports what its devices did, as soon as they did it. */
export function reportReceipts({ queue } = { queue: connectQueue(readEnv('RECEIPTS_QUEUE_URL')) }) {
  return combiningWorker<string>('ReportReceipts', {
    read: async ({ record }) => [record.body],
    // All messages of a batch travel together.
    apply: (parts) => {
      const messages = parts.map(({ item }, n) => ({ id: String(n), body: item }));
      return sendAll(queue, messages);
    },
  });
}
