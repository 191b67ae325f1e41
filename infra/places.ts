import { getSyncOperation } from '../functions/places/get-sync.ts';
import { startSyncOperation } from '../functions/places/start-sync.ts';
import { alarm } from './constructs/alarm.ts';
import { endpoint } from './constructs/endpoint.ts';
import { queueWorker } from './constructs/queue-worker.ts';
import { allowSending, type WorkQueue, workQueue } from './constructs/work-queue.ts';
import type { HttpService } from './service.ts';

/** A list is cut into slices on a queue, and each slice is processed. A slice that keeps failing is ended. */
export function addPlaces(service: HttpService): void {
  const sync = workQueue(service, 'PlacesSync', {
    name: 'places-sync',
    fifo: true,
    worker: service.config.sizes.worker,
    late: {
      impact:
        'Lists of service points wait too long: sessions of partners stay PROCESSING, and old places remain.',
      lookAt: 'the log of ProcessSlice, and its throttles',
    },
    dlqNotEmpty: {
      impact: 'Slices of service-point lists failed every attempt: partners must send those places again.',
      lookAt: 'the log of ProcessSlice, by a sessionId in the log of EndFailedSlice',
    },
  });
  addEndpoints(service, sync);
  addWorkers(service, sync);
}

function addEndpoints(service: HttpService, sync: WorkQueue): void {
  const { config } = service;
  const startSync = endpoint(service, startSyncOperation, {
    throttle: config.throttle.syncRoute,
    size: config.sizes.listEndpoint,
    tableActions: ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    environment: { PLACES_QUEUE_URL: sync.queue.queueUrl },
  });
  allowSending(startSync, sync);
  endpoint(service, getSyncOperation, { tableActions: ['GetItem', 'Query'] });
}

function addWorkers(service: HttpService, { queue, dlq }: WorkQueue): void {
  const { config } = service;
  queueWorker(service, 'ProcessSlice', {
    queue,
    size: config.sizes.worker,
    maxConcurrency: config.queues.sliceWorkers,
    tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
    failing: {
      impact:
        'ProcessSlice fails or crashes: lists of service points of partners take effect late or not at all.',
      lookAt: 'the log of ProcessSlice',
    },
  });
  queueWorker(service, 'EndFailedSlice', {
    queue: dlq,
    size: config.sizes.worker,
    maxConcurrency: config.queues.failedSliceWorkers,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem', 'BatchWriteItem'],
    failing: {
      impact:
        'EndFailedSlice fails or crashes: sessions with failed slices stay PROCESSING while partners poll.',
      lookAt: 'the log of EndFailedSlice',
    },
  });
  alarm(service, 'PlacesSyncDlqLate', {
    impact: 'Failed slices are not ended: their sessions stay PROCESSING while partners poll.',
    lookAt: 'the log of EndFailedSlice, and its throttles',
    metric: (period) => dlq.metricApproximateAgeOfOldestMessage({ period }),
    rule: config.alarms.dlqAgeSeconds,
  });
}
