import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { httpFunctions } from './constructs/http-function.ts';
import { queueWorker } from './constructs/queue-worker.ts';
import { type WorkQueue, workQueue } from './constructs/work-queue.ts';
import { messageRows, stateRows } from './row-groups.ts';
import type { HttpService } from './service.ts';

/**
 * Releases scheduled sends, ends messages whose deadline has passed, and takes back what partners cancel. SweepDue puts
 * each send that is due into the queue until nothing is.
 */
export function addDeadlines(service: HttpService, cancellations: Queue): WorkQueue {
  const { config } = service;
  const deadlines = workQueue(service, 'Deadlines', {
    late: {
      impact:
        'Scheduled sends are handed over late, what partners took back stays on phones, and partners wait for EXPIRED.',
      lookAt: 'the log of AdvanceSends, and its throttles',
    },
    lateRule: config.alarms.deadlineAgeSeconds,
  });
  queueWorker(service, 'AdvanceSends', {
    queue: deadlines.queue,
    maxConcurrency: config.queues.deadlineWorkers,
    reads: ['deadline', ...messageRows, ...stateRows, 'partner entry', 'key'],
    writes: ['deadline', 'single message', 'bulk send', ...stateRows, 'parked message'],
    sendsTo: { CANCELLATIONS_QUEUE_URL: cancellations },
  });
  httpFunctions(service, {
    CancelPush: {
      reads: [...messageRows, ...stateRows, 'key'],
      writes: ['deadline', 'single message', 'bulk send', ...stateRows],
      sendsTo: { CANCELLATIONS_QUEUE_URL: cancellations, DEADLINES_QUEUE_URL: deadlines.queue },
    },
  });
  return deadlines;
}
