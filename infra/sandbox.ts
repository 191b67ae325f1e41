import { openSandboxCheckInOperation } from '../functions/sandbox/open-sandbox-check-in.ts';
import { endpoint } from './constructs/endpoint.ts';
import { queueWorker } from './constructs/queue-worker.ts';
import { allowSending } from './constructs/work-queue.ts';
import type { WalletQueues } from './push.ts';
import type { HttpService } from './service.ts';
import { openingCheckIns } from './wallet.ts';

/** What stands in for the wallet platform: messages of push-outbox are shown, and card holders check in. */
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
  endpoint(service, openSandboxCheckInOperation, openingCheckIns(config));
}
