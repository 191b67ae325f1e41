import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { getSyncOperation } from '../functions/places/get-sync.ts';
import { startSyncOperation } from '../functions/places/start-sync.ts';
import { alarm } from './constructs/alarm.ts';
import { endpoint } from './constructs/endpoint.ts';
import { queueWorker } from './constructs/queue-worker.ts';
import { type WorkQueue, workQueue } from './constructs/work-queue.ts';
import type { HttpService } from './service.ts';

/** A list comes in, is cut into slices on a queue, and each slice is worked off; a slice given up is ended. */
export function addPlaces(service: HttpService): void {
  const sync = workQueue(service, 'PlacesSync', {
    name: 'places-sync',
    fifo: true,
    worker: service.config.sizes.worker,
    late: {
      impact:
        'Slices of service-point lists wait too long: partners see their sessions PROCESSING and old places stay.',
      runbook: 'places-sync-late',
    },
    dlqNotEmpty: {
      impact:
        'Slices of service-point lists failed every attempt: their partners must send those places again.',
      runbook: 'places-sync-dlq-not-empty',
    },
  });
  addEndpoints(service, sync);
  addWorkers(service, sync);
}

function addEndpoints(service: HttpService, { queue }: WorkQueue): void {
  const { config } = service;
  const startSync = endpoint(service, startSyncOperation, {
    throttle: config.throttle.syncRoute,
    size: config.sizes.listEndpoint,
    tableActions: [
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
      'dynamodb:BatchWriteItem',
    ],
    environment: { PLACES_QUEUE_URL: queue.queueUrl },
  });
  startSync.lambda.addToRolePolicy(
    new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] }),
  );
  endpoint(service, getSyncOperation, {
    tableActions: ['dynamodb:GetItem', 'dynamodb:Query'],
  });
}

function addWorkers(service: HttpService, { queue, dlq }: WorkQueue): void {
  const { config } = service;
  queueWorker(service, 'ProcessSlice', {
    queue,
    size: config.sizes.worker,
    maxConcurrency: config.queues.sliceWorkers,
    tableActions: [
      'dynamodb:GetItem',
      'dynamodb:Query',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:BatchWriteItem',
    ],
    failing: {
      impact:
        'The function that applies service-point lists fails or crashes: lists of partners take effect late or not at all.',
      runbook: 'process-slice-errors',
    },
  });
  queueWorker(service, 'EndFailedSlice', {
    queue: dlq,
    size: config.sizes.worker,
    maxConcurrency: config.queues.failedSliceWorkers,
    tableActions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:BatchWriteItem'],
    failing: {
      impact:
        'The function that ends failed slices fails or crashes: their sessions stay PROCESSING and partners poll in vain.',
      runbook: 'end-failed-slice-errors',
    },
  });
  alarm(service, 'PlacesSyncDlqLate', {
    impact: 'Failed slices are not ended: their sessions stay PROCESSING and their partners poll in vain.',
    runbook: 'places-sync-dlq-late',
    metric: (period) => dlq.metricApproximateAgeOfOldestMessage({ period }),
    rule: config.alarms.dlqAgeSeconds,
    missingData: TreatMissingData.NOT_BREACHING,
  });
}
