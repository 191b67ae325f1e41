import { connectQueue } from '../../shared/platform/queues/queue.ts';
import { combiningWorker, type Part } from '../../shared/platform/queues/queue-worker.ts';
import { type Queue, sendInAnyOrder } from '../../shared/platform/queues/send-all.ts';
import type { Pause } from '../../shared/platform/runtime/backoff.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';

type Deps = {
  /** delivery-receipts */
  queue: Queue;
  pause?: Pause;
};

/** The simulated wallet platform: reports what its devices did when the time of it has come. */
export function reportReceipts({ queue, pause }: Deps) {
  return combiningWorker<string>('ReportReceipts', {
    read: async ({ record }) => [record.body],
    // All messages of a batch travel together.
    groupOf: () => 'all',
    apply: (parts: readonly Part<string>[]) =>
      sendInAnyOrder(
        queue,
        parts.map(({ item }, n) => ({ id: String(n), body: item })),
        pause,
      ),
    readsAtOnce: 1,
    groupsAtOnce: 1,
  });
}

export function createHandler() {
  return reportReceipts({
    queue: connectQueue(readEnv('RECEIPTS_QUEUE_URL')),
  });
}
