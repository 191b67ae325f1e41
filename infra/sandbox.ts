import { queueWorker } from './constructs/queue-worker.ts';
import { allowSending } from './constructs/work-queue.ts';
import type { WalletQueues } from './push.ts';
import type { HttpService } from './service.ts';

/** What stands in for the wallet platform: messages of push-outbox are shown, and receipts are sent for them. */
export function addSandbox(service: HttpService, { outbox, receipts }: WalletQueues): void {
  const { config } = service;
  // No alarm of its own: push-outbox has alarms for messages that wait or fail.
  const show = queueWorker(service, 'ShowMessages', {
    queue: outbox,
    size: config.sizes.worker,
    maxConcurrency: config.queues.simulatedWalletWorkers,
    tableActions: [],
    environment: { RECEIPTS_QUEUE_URL: receipts.queueUrl, WALLET_DELAY_SECONDS: '2' },
  });
  allowSending(show, { queue: receipts });
}
