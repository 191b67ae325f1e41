import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { getDeliveryHistoryOperation } from '../functions/push/get-delivery-history.ts';
import { sendBulkOperation } from '../functions/push/send-bulk.ts';
import { sendMessageOperation } from '../functions/push/send-message.ts';
import { sendMultiOperation } from '../functions/push/send-multi.ts';
import { marked, streamMarkers } from '../shared/table/stream-markers.ts';
import { endpoint } from './constructs/endpoint.ts';
import { queueWorker } from './constructs/queue-worker.ts';
import { streamWorker } from './constructs/stream-worker.ts';
import { type WorkQueue, workQueue } from './constructs/work-queue.ts';
import type { HttpService } from './service.ts';

/** Reads of recipients, and the rows of an Idempotency-Key. */
const sending = [
  'dynamodb:BatchGetItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
] as const;

/** The queues that the wallet platform has a side of. */
export interface WalletQueues {
  readonly outbox: Queue;
  readonly receipts: Queue;
}

/** Partners send messages; the stream hands them to the wallet platform, whose receipts become their history. */
export function addPush(service: HttpService): WalletQueues {
  addEndpoints(service);
  const outbox = addOutbox(service);
  addDispatch(service, outbox);
  return { outbox: outbox.queue, receipts: addReceipts(service) };
}

function addEndpoints(service: HttpService): void {
  const { listEndpoint } = service.config.sizes;
  endpoint(service, sendMessageOperation, {
    tableActions: sending,
  });
  endpoint(service, sendBulkOperation, {
    size: listEndpoint,
    tableActions: sending,
  });
  endpoint(service, sendMultiOperation, {
    size: listEndpoint,
    tableActions: sending,
  });
  endpoint(service, getDeliveryHistoryOperation, {
    tableActions: ['dynamodb:BatchGetItem', 'dynamodb:GetItem'],
  });
}

function addOutbox(service: HttpService): WorkQueue {
  return workQueue(service, 'PushOutbox', {
    name: 'push-outbox',
    worker: service.config.sizes.worker,
    late: {
      impact:
        'The wallet platform does not take messages from push-outbox: pushes of partners are not shown.',
      runbook: 'push-outbox-late',
    },
    dlqNotEmpty: {
      impact:
        'The wallet platform received messages several times without finishing: pushes of partners are not shown.',
      runbook: 'push-outbox-dlq-not-empty',
    },
  });
}

function addDispatch(service: HttpService, { queue }: WorkQueue): void {
  const dispatch = streamWorker(service, 'DispatchMessages', {
    size: service.config.sizes.listEndpoint,
    // PutItem only to park what cannot be read.
    tableActions: ['dynamodb:BatchGetItem', 'dynamodb:PutItem'],
    environment: { OUTBOX_QUEUE_URL: queue.queueUrl },
    filters: [
      { eventName: ['INSERT'], dynamodb: { NewImage: { [streamMarkers.dispatch]: { S: [marked] } } } },
    ],
    late: {
      impact: 'Accepted pushes wait in the stream: they reach devices late.',
      runbook: 'dispatch-messages-late',
    },
    dlqNotEmpty: {
      impact: 'Accepted pushes were given up: partners were told ENQUEUED and nobody will see them.',
      runbook: 'dispatch-messages-dlq-not-empty',
    },
  });
  dispatch.lambda.addToRolePolicy(
    new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] }),
  );
}

function addReceipts(service: HttpService): Queue {
  const { config } = service;
  const { queue } = workQueue(service, 'DeliveryReceipts', {
    name: 'delivery-receipts',
    worker: config.sizes.worker,
    late: {
      impact:
        'Receipts wait too long: partners read histories and get callbacks behind what happened on devices.',
      runbook: 'delivery-receipts-late',
    },
    dlqNotEmpty: {
      impact:
        'Receipts failed by our own fault: their states are missing in the histories and callbacks of partners.',
      runbook: 'delivery-receipts-dlq-not-empty',
    },
  });
  queueWorker(service, 'RecordReceipts', {
    queue,
    size: config.sizes.worker,
    maxConcurrency: config.queues.receiptWorkers,
    batchSize: config.queues.receiptsBatchSize,
    tableActions: ['dynamodb:BatchGetItem', 'dynamodb:UpdateItem', 'dynamodb:PutItem'],
    failing: {
      impact:
        'The function that records receipts fails or crashes: histories and callbacks of partners lag behind.',
      runbook: 'record-receipts-errors',
    },
  });
  return queue;
}
