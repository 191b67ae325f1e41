import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { deletePhoneOperation } from '../functions/sandbox/delete-phone.ts';
import { getPhoneOperation } from '../functions/sandbox/get-phone.ts';
import { getSandboxReceiverOperation } from '../functions/sandbox/get-sandbox-receiver.ts';
import { openPhoneMessageOperation } from '../functions/sandbox/open-phone-message.ts';
import { openSandboxCheckInOperation } from '../functions/sandbox/open-sandbox-check-in.ts';
import { putPhoneOperation } from '../functions/sandbox/put-phone.ts';
import { putSandboxReceiverOperation } from '../functions/sandbox/put-sandbox-receiver.ts';
import { takeSandboxCallbackOperation } from '../functions/sandbox/take-sandbox-callback.ts';
import type { Operation } from '../shared/platform/http/operation.ts';
import { type HttpFunctionProps, httpFunction } from './constructs/http-function.ts';
import { queueWorker } from './constructs/queue-worker.ts';
import { type WorkQueue, workQueue } from './constructs/work-queue.ts';
import type { WalletQueues } from './push.ts';
import type { HttpService } from './service.ts';
import { openingCheckIns } from './wallet.ts';

/** Partners read what their phones show, and partners without a server of their own see their callbacks. */
const endpoints = new Map<Operation, HttpFunctionProps>([
  [getPhoneOperation, { rows: 'phones', tableActions: ['BatchGetItem', 'Query'], readsWallet: true }],
  [putPhoneOperation, { rows: 'phones', tableActions: ['UpdateItem', 'DeleteItem'] }],
  [
    deletePhoneOperation,
    {
      rows: 'phones',
      tableActions: ['BatchGetItem', 'Query', 'UpdateItem', 'BatchWriteItem', 'DeleteItem'],
      readsWallet: true,
    },
  ],
  [
    takeSandboxCallbackOperation,
    {
      rows: 'receivers',
      // A response may be delayed by 20 s.
      size: { memoryMb: 1024, timeoutSeconds: 29 },
      tableActions: ['Query', 'UpdateItem', 'PutItem'],
    },
  ],
  [getSandboxReceiverOperation, { rows: 'receivers', tableActions: ['GetItem', 'Query', 'UpdateItem'] }],
  [
    putSandboxReceiverOperation,
    { rows: 'receivers', tableActions: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'] },
  ],
]);

/** The dashboard gets ids instead of functions, because this stack depends on the dashboard's. */
export const sandboxIds: readonly string[] = [
  'ShowMessages',
  'ReportReceipts',
  ...[openSandboxCheckInOperation, openPhoneMessageOperation, ...endpoints.keys()].map(({ id }) => id),
];

/** The simulated wallet platform: its phones show the messages of push-outbox, and its card holders check in. */
export function addSandbox(service: HttpService, { outbox, receipts }: WalletQueues): void {
  const { config } = service;
  const reports = addDeviceReports(service, receipts);
  // ShowMessages has no alarm of its own: push-outbox has alarms for messages that wait or fail.
  queueWorker(service, 'ShowMessages', {
    queue: outbox,
    maxConcurrency: config.queues.simulatedWalletWorkers,
    rows: 'phones',
    tableActions: ['BatchGetItem', 'PutItem'],
    sendsTo: { DEVICE_REPORTS_QUEUE_URL: reports.queue },
    environment: { WALLET_DELAY_SECONDS: '2' },
  });
  httpFunction(service, openSandboxCheckInOperation, openingCheckIns(config));
  httpFunction(service, openPhoneMessageOperation, {
    rows: 'phones',
    tableActions: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sendsTo: { RECEIPTS_QUEUE_URL: receipts },
  });
  for (const [operation, props] of endpoints) httpFunction(service, operation, props);
}

/** The queue in which receipts wait, for up to some minutes, until devices would report them. */
function addDeviceReports(service: HttpService, receipts: Queue): WorkQueue {
  const { config } = service;
  const reports = workQueue(service, 'DeviceReports', {
    name: 'device-reports',
    late: {
      impact: 'The simulated wallet platform reports late: messages of partners stay ENQUEUED meanwhile.',
      lookAt: 'the log of ReportReceipts, and its throttles',
    },
    dlqNotEmpty: {
      impact: 'The simulated wallet platform could not report: messages of partners stay ENQUEUED.',
      lookAt: 'outcome failed in the log of ReportReceipts',
    },
  });
  queueWorker(service, 'ReportReceipts', {
    queue: reports.queue,
    maxConcurrency: config.queues.simulatedWalletWorkers,
    tableActions: [],
    sendsTo: { RECEIPTS_QUEUE_URL: receipts },
  });
  return reports;
}
