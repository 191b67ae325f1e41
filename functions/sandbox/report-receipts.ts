import { connectQueue, sendAll } from '../../shared/platform/queues/queue.ts';
import { queueWorker } from '../../shared/platform/queues/queue-worker.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { tableDeps } from '../../shared/platform/table/table.ts';
import type { Receipt } from '../../shared/push/receipt.ts';
import { removedStore } from '../../shared/sandbox/removed-store.ts';

/** The simulated wallet platform: reports what its devices did, as soon as they did it, unless the message was removed. */
export function reportReceipts(deps = connect()) {
  return queueWorker('ReportReceipts', async ({ record }) => {
    const { receipts } = JSON.parse(record.body) as { receipts: Receipt[] };
    const ids = receipts.map(({ messageId }) => messageId);
    const removed = await deps.removed.among(ids, deps.clock.now());
    const left = receipts.filter(({ messageId }) => !removed.has(messageId));
    if (left.length > 0) await sendAll(deps.queue, [{ body: JSON.stringify({ receipts: left }) }]);
  });
}

function connect() {
  const queue = connectQueue(readEnv('RECEIPTS_QUEUE_URL'));
  return { ...tableDeps({ removed: removedStore }), queue };
}
