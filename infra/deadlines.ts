import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { addHttpFunctions } from './constructs/http-function.ts';
import { addQueueWorker } from './constructs/queue-worker.ts';
import { addQueue, type WorkQueue } from './constructs/work-queue.ts';
import { messageRows, stateRows } from './row-groups.ts';
import type { HttpService } from './service.ts';

/**
 * Releases scheduled sends, ends messages whose deadline has passed, and takes back what partners cancel. SweepDue puts
 * each send that is due into the queue until nothing is.
 */
export function addDeadlines(service: HttpService, cancellations: Queue): WorkQueue {
  const deadlines = addQueue(service, 'Deadlines', {
    late: {
      impact:
        'Scheduled sends are handed over late, what partners took back stays on phones, and partners wait for EXPIRED.',
      lookAt: 'the log of AdvanceSends, and its throttles',
    },
    // A message that failed once comes back after 180 s, when later ones have long ended its sends. Its delay, up to 99 s,
    // may count as age.
    lateAfterSeconds: 300,
  });
  addQueueWorker(service, 'AdvanceSends', {
    queue: deadlines.queue,
    // Each takes 10,000 recipients at once.
    maxConcurrency: 20,
    reads: ['deadline', ...messageRows, ...stateRows, 'partner entry', 'key'],
    writes: ['deadline', 'single message', 'bulk send', ...stateRows, 'event', 'parked message'],
    sendsTo: { CANCELLATIONS_QUEUE_URL: cancellations },
  });
  addHttpFunctions(service, {
    CancelPush: {
      reads: [...messageRows, ...stateRows, 'key'],
      writes: ['deadline', 'single message', 'bulk send', ...stateRows, 'event'],
      sendsTo: { CANCELLATIONS_QUEUE_URL: cancellations, DEADLINES_QUEUE_URL: deadlines.queue },
    },
  });
  return deadlines;
}
