import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { openingCheckIns } from './check-ins.ts';
import { queues, sizes } from './config.ts';
import { addHttpFunctions, type HttpFunctions } from './constructs/http-function.ts';
import { addQueueWorker } from './constructs/queue-worker.ts';
import { addQueue, type WorkQueue } from './constructs/work-queue.ts';
import type { WalletQueues } from './push.ts';
import { messageRows, stateRows } from './row-groups.ts';
import type { HttpService } from './service.ts';

/** Partners read what their phones show, and partners without a server of their own see their callbacks. */
const endpoints: HttpFunctions = {
  ListPhones: { reads: ['phones'] },
  GetPhone: { reads: ['phones', 'message on a phone', 'recipient'], readsWallet: true },
  PutPhone: { reads: ['key'], writes: ['phones'] },
  DeletePhone: {
    reads: ['key', 'phones', 'message on a phone', 'recipient'],
    writes: ['phones', 'message on a phone'],
    readsWallet: true,
  },
  TakeSandboxCallback: {
    // A response may be delayed by 20 s.
    size: sizes.longEndpoint,
    reads: ['endpoint', 'receiver'],
    writes: ['receiver', 'received callback'],
  },
  GetSandboxReceiver: { reads: ['receiver', 'received callback'], writes: ['receiver'] },
  PutSandboxReceiver: { reads: ['key', 'received callback'], writes: ['receiver'] },
};

const deviceReports = 'DeviceReports';

/** The dashboard gets ids of queues, alarms and functions, because this stack depends on the dashboard's. */
export const sandboxQueues: readonly string[] = [deviceReports, `${deviceReports}Dlq`];
export const sandboxAlarms: readonly string[] = [`${deviceReports}Late`, `${deviceReports}DlqNotEmpty`];
export const sandboxIds: readonly string[] = [
  'ShowMessages',
  'RemoveMessages',
  'ReportReceipts',
  'OpenSandboxCheckIn',
  'OpenPhoneMessage',
  ...Object.keys(endpoints),
];

/** The simulated wallet platform: its phones show the messages of push-outbox, and its card holders check in. */
export function addSandbox(service: HttpService, { outbox, receipts, cancellations }: WalletQueues): void {
  const reports = addDeviceReports(service, receipts);
  // ShowMessages has no alarm of its own: push-outbox has alarms for messages that wait or fail.
  addQueueWorker(service, 'ShowMessages', {
    queue: outbox,
    maxConcurrency: queues.simulatedWalletWorkers,
    reads: ['phones', 'recipient', 'removed messages'],
    writes: ['message on a phone'],
    sendsTo: { DEVICE_REPORTS_QUEUE_URL: reports.queue },
    environment: { WALLET_DELAY_SECONDS: '2' },
  });
  // RemoveMessages has no alarm of its own either: push-cancellations has.
  addQueueWorker(service, 'RemoveMessages', {
    queue: cancellations,
    maxConcurrency: queues.simulatedWalletWorkers,
    reads: ['phones', ...messageRows, ...stateRows],
    writes: ['removed messages', 'message on a phone'],
    sendsTo: { RECEIPTS_QUEUE_URL: receipts },
  });
  addHttpFunctions(service, {
    OpenSandboxCheckIn: openingCheckIns,
    OpenPhoneMessage: {
      reads: ['message on a phone'],
      writes: ['message on a phone'],
      sendsTo: { RECEIPTS_QUEUE_URL: receipts },
    },
    ...endpoints,
  });
}

/** The queue in which receipts wait, for up to some minutes, until devices would report them. */
function addDeviceReports(service: HttpService, receipts: Queue): WorkQueue {
  const reports = addQueue(service, deviceReports, {
    late: {
      impact: 'The simulated wallet platform reports late: messages of partners stay ENQUEUED meanwhile.',
      lookAt: 'the log of ReportReceipts, and its throttles',
    },
    dlqNotEmpty: {
      impact: 'The simulated wallet platform could not report: messages of partners stay ENQUEUED.',
      lookAt: 'outcome failed in the log of ReportReceipts',
    },
  });
  addQueueWorker(service, 'ReportReceipts', {
    queue: reports.queue,
    maxConcurrency: queues.simulatedWalletWorkers,
    reads: ['removed messages'],
    sendsTo: { RECEIPTS_QUEUE_URL: receipts },
  });
  return reports;
}
