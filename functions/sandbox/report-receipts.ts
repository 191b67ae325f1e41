import { connectQueue, sendAll } from '../../shared/platform/queues/queue.ts';
import { combiningWorker } from '../../shared/platform/queues/queue-worker.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { tableDeps } from '../../shared/platform/table/table.ts';
import type { Receipt } from '../../shared/push/receipt.ts';
import { removedStore } from '../../shared/sandbox/removed-store.ts';

/** The simulated wallet platform: reports what its devices did, as soon as they did it, unless the message was removed. */
export function reportReceipts(deps = connect()) {
  return combiningWorker<Receipt[]>('ReportReceipts', {
    read: async ({ record }) => [(JSON.parse(record.body) as { receipts: Receipt[] }).receipts],
    // All messages of a batch travel together.
    apply: async (parts) => {
      const ids = parts.flatMap(({ item }) => item.map(({ messageId }) => messageId));
      const removed = await deps.removed.among(ids, deps.clock.now());
      const left = parts.map(({ item }) => item.filter(({ messageId }) => !removed.has(messageId)));
      const messages = left
        .filter((receipts) => receipts.length > 0)
        .map((receipts) => ({ body: JSON.stringify({ receipts }) }));
      await sendAll(deps.queue, messages);
    },
  });
}

function connect() {
  const queue = connectQueue(readEnv('RECEIPTS_QUEUE_URL'));
  return { ...tableDeps({ removed: removedStore }), queue };
}
