import { queues, sizes } from './config.ts';
import { addAlarm } from './constructs/alarm.ts';
import { addHttpFunctions } from './constructs/http-function.ts';
import { failureMetrics, sumMetrics } from './constructs/metrics.ts';
import { addQueueWorker } from './constructs/queue-worker.ts';
import { addQueue, type WorkQueue } from './constructs/work-queue.ts';
import type { HttpService } from './service.ts';

/** A list is a queue message. The lists of an offer are processed in order, and one that keeps failing is ended. */
export function addPlaces(service: HttpService): void {
  const sync = addQueue(service, 'PlacesSync', {
    fifo: true,
    // A list that came back while it is processed would be processed twice at once, and then overtaken by the next one.
    // Failed lists come back sooner (`comesBackSoon`); only one whose worker was killed waits for these 30 minutes.
    worker: sizes.listWorker,
    maxReceiveCount: 20,
    late: {
      impact:
        'Lists of service points wait too long: sessions of partners stay PROCESSING, and old places remain.',
      lookAt: 'the log of ProcessSync, and its throttles',
    },
    dlqNotEmpty: {
      impact: 'Lists of service points failed every attempt: partners must send them again.',
      lookAt: 'the log of ProcessSync, by a sessionId in the log of EndFailedSync',
    },
    dlqIsConsumed: true,
  });
  addEndpoints(service, sync);
  addWorkers(service, sync);
}

function addEndpoints(service: HttpService, sync: WorkQueue): void {
  addHttpFunctions(service, {
    StartSync: {
      size: sizes.listEndpoint,
      reads: ['sync session'],
      writes: ['sync session', 'part of a list'],
      sendsTo: { PLACES_QUEUE_URL: sync.queue },
    },
    GetSync: { reads: ['sync session', 'rejected elements', 'changes of a list'] },
    ListWalletPlaces: { reads: ['offer', 'service point'] },
  });
}

function addWorkers(service: HttpService, { queue, dlq }: WorkQueue): void {
  const { config } = service;
  const processSync = addQueueWorker(service, 'ProcessSync', {
    queue,
    size: sizes.listWorker,
    batchSize: 1,
    maxConcurrency: queues.listWorkers,
    reads: ['sync session', 'part of a list', 'removal guard', 'service point'],
    writes: [
      'sync session',
      'rejected elements',
      'changes of a list',
      'removal guard',
      'service point',
      'event',
    ],
    environment: { PLACES_QUEUE_URL: queue.queueUrl },
    bringsBack: true,
  });
  addAlarm(service, 'ProcessSyncErrors', {
    impact:
      'ProcessSync fails or crashes: lists of service points of partners take effect late or not at all.',
    lookAt: 'the log of ProcessSync',
    metric: sumMetrics('failed', failureMetrics(config, processSync.lambda), 'failures'),
    threshold: 5,
    periods: 2,
  });
  // It has no alarm of its own: a list here has raised PlacesSyncDlqNotEmpty, and one that stays raises PlacesSyncDlqLate.
  addQueueWorker(service, 'EndFailedSync', {
    queue: dlq,
    maxConcurrency: 5,
    writes: ['sync session', 'parked message', 'event'],
  });
  addAlarm(service, 'PlacesSyncDlqLate', {
    impact: 'Failed lists are not ended: their sessions stay PROCESSING while partners poll.',
    lookAt: 'the log of EndFailedSync, and its throttles',
    metric: dlq.metricApproximateAgeOfOldestMessage(),
    threshold: 900,
  });
}
