import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { sizes } from './config.ts';
import { type HttpFunctions, httpFunctions } from './constructs/http-function.ts';
import { queueWorker } from './constructs/queue-worker.ts';
import { type WorkQueue, workQueue } from './constructs/work-queue.ts';
import type { WalletQueues } from './push.ts';
import type { HttpService } from './service.ts';
import { openingCheckIns } from './wallet.ts';

/** Partners read what their phones show, and partners without a server of their own see their callbacks. */
const endpoints: HttpFunctions = {
  ListPhones: { rows: 'phones', tableActions: ['BatchGetItem'] },
  GetPhone: { rows: 'phones', tableActions: ['BatchGetItem', 'Query'], readsWallet: true },
  PutPhone: { rows: 'phones', readsKey: true, tableActions: ['UpdateItem', 'DeleteItem'] },
  DeletePhone: {
    rows: 'phones',
    readsKey: true,
    tableActions: ['BatchGetItem', 'Query', 'UpdateItem', 'BatchWriteItem', 'DeleteItem'],
    readsWallet: true,
  },
  TakeSandboxCallback: {
    rows: 'receivers',
    // A response may be delayed by 20 s.
    size: sizes.longEndpoint,
    tableActions: ['Query', 'UpdateItem', 'PutItem'],
  },
  GetSandboxReceiver: { rows: 'receivers', tableActions: ['GetItem', 'Query', 'UpdateItem'] },
  PutSandboxReceiver: {
    rows: 'receivers',
    readsKey: true,
    tableActions: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
};

/** The dashboard gets ids instead of functions, because this stack depends on the dashboard's. */
export const sandboxIds: readonly string[] = [
  'ShowMessages',
  'ReportReceipts',
  'OpenSandboxCheckIn',
  'OpenPhoneMessage',
  ...Object.keys(endpoints),
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
  httpFunctions(service, {
    OpenSandboxCheckIn: openingCheckIns,
    OpenPhoneMessage: {
      rows: 'phones',
      tableActions: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      sendsTo: { RECEIPTS_QUEUE_URL: receipts },
    },
    ...endpoints,
  });
}

/** The queue in which receipts wait, for up to some minutes, until devices would report them. */
function addDeviceReports(service: HttpService, receipts: Queue): WorkQueue {
  const { config } = service;
  const reports = workQueue(service, 'DeviceReports', {
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
