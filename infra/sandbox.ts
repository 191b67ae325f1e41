import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { deletePhoneOperation } from '../functions/sandbox/delete-phone.ts';
import { getPhoneOperation } from '../functions/sandbox/get-phone.ts';
import { getSandboxReceiverOperation } from '../functions/sandbox/get-sandbox-receiver.ts';
import { openPhoneMessageOperation } from '../functions/sandbox/open-phone-message.ts';
import { openSandboxCheckInOperation } from '../functions/sandbox/open-sandbox-check-in.ts';
import { putPhoneOperation } from '../functions/sandbox/put-phone.ts';
import { putSandboxReceiverOperation } from '../functions/sandbox/put-sandbox-receiver.ts';
import { takeSandboxCallbackOperation } from '../functions/sandbox/take-sandbox-callback.ts';
import { endpoint } from './constructs/endpoint.ts';
import { queueWorker } from './constructs/queue-worker.ts';
import { allowSending, type WorkQueue, workQueue } from './constructs/work-queue.ts';
import type { WalletQueues } from './push.ts';
import type { HttpService } from './service.ts';
import { openingCheckIns } from './wallet.ts';

/** By name: the dashboard is part of a stack that this one depends on. */
export const sandboxIds: readonly string[] = [
  'ShowMessages',
  'ReportReceipts',
  ...[
    openSandboxCheckInOperation,
    getPhoneOperation,
    putPhoneOperation,
    deletePhoneOperation,
    openPhoneMessageOperation,
    takeSandboxCallbackOperation,
    getSandboxReceiverOperation,
    putSandboxReceiverOperation,
  ].map(({ id }) => id),
];

/** What stands in for the wallet platform: messages of push-outbox are shown, and card holders check in. */
export function addSandbox(service: HttpService, { outbox, receipts }: WalletQueues): void {
  const { config } = service;
  const reports = addDeviceReports(service, receipts);
  // No alarm of its own: push-outbox has alarms for messages that wait or fail.
  const show = queueWorker(service, 'ShowMessages', {
    queue: outbox,
    size: config.sizes.worker,
    maxConcurrency: config.queues.simulatedWalletWorkers,
    rows: 'phones',
    tableActions: ['BatchGetItem', 'PutItem'],
    environment: { DEVICE_REPORTS_QUEUE_URL: reports.queue.queueUrl, WALLET_DELAY_SECONDS: '2' },
  });
  allowSending(show, reports);
  endpoint(service, openSandboxCheckInOperation, openingCheckIns(config));
  addPhones(service, receipts);
  addReceiver(service);
}

/** Where receipts wait until the devices would report them, up to some minutes. */
function addDeviceReports(service: HttpService, receipts: Queue): WorkQueue {
  const { config } = service;
  const reports = workQueue(service, 'DeviceReports', {
    name: 'device-reports',
    worker: config.sizes.worker,
    late: {
      impact: 'The simulated wallet platform reports late: messages of partners stay ENQUEUED meanwhile.',
      lookAt: 'the log of ReportReceipts, and its throttles',
    },
    dlqNotEmpty: {
      impact: 'The simulated wallet platform could not report: messages of partners stay ENQUEUED.',
      lookAt: 'outcome failed in the log of ReportReceipts',
    },
  });
  const report = queueWorker(service, 'ReportReceipts', {
    queue: reports.queue,
    size: config.sizes.worker,
    maxConcurrency: config.queues.simulatedWalletWorkers,
    tableActions: [],
    environment: { RECEIPTS_QUEUE_URL: receipts.queueUrl },
  });
  allowSending(report, { queue: receipts });
  return reports;
}

/** Partners read what their phones show, and open it. */
function addPhones(service: HttpService, receipts: Queue): void {
  const wallet = { WALLET: service.config.wallet };
  endpoint(service, getPhoneOperation, {
    rows: 'phones',
    tableActions: ['BatchGetItem', 'Query'],
    environment: wallet,
  });
  endpoint(service, putPhoneOperation, {
    rows: 'phones',
    tableActions: ['UpdateItem', 'DeleteItem'],
  });
  endpoint(service, deletePhoneOperation, {
    rows: 'phones',
    tableActions: ['BatchGetItem', 'Query', 'UpdateItem', 'BatchWriteItem', 'DeleteItem'],
    environment: wallet,
  });
  const open = endpoint(service, openPhoneMessageOperation, {
    rows: 'phones',
    tableActions: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    environment: { RECEIPTS_QUEUE_URL: receipts.queueUrl },
  });
  allowSending(open, { queue: receipts });
}

/** Partners without a server of their own see their callbacks. */
function addReceiver(service: HttpService): void {
  endpoint(service, takeSandboxCallbackOperation, {
    rows: 'receivers',
    // An answer may be 20 s late.
    size: { memoryMb: 1024, timeoutSeconds: 29 },
    tableActions: ['Query', 'UpdateItem', 'PutItem'],
  });
  endpoint(service, getSandboxReceiverOperation, {
    rows: 'receivers',
    tableActions: ['GetItem', 'Query', 'UpdateItem'],
  });
  endpoint(service, putSandboxReceiverOperation, {
    rows: 'receivers',
    tableActions: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  });
}
