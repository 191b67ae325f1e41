import { addQueueWorker } from './constructs/queue-worker.ts';
import { addQueue, type WorkQueue } from './constructs/work-queue.ts';
import { messageRows, stateRows } from './row-groups.ts';
import type { Service } from './service.ts';

/** Ends messages whose deadline has passed. SweepDue puts each such send into the queue until all of it has ended. */
export function addDeadlines(service: Service): WorkQueue {
  const { config } = service;
  const deadlines = addQueue(service, 'Deadlines', {
    late: {
      impact: 'Messages whose deadline has passed end late: partners wait for EXPIRED.',
      lookAt: 'the log of ExpireMessages, and its throttles',
    },
    lateRule: config.alarms.deadlineAgeSeconds,
  });
  addQueueWorker(service, 'ExpireMessages', {
    queue: deadlines.queue,
    maxConcurrency: config.queues.deadlineWorkers,
    reads: ['deadline', ...messageRows, ...stateRows],
    writes: ['deadline', ...stateRows, 'parked message'],
  });
  return deadlines;
}
