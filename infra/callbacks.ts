import { queues, sizes } from './config.ts';
import { addAlarm } from './constructs/alarm.ts';
import { sharedMetric } from './constructs/metrics.ts';
import { addQueueWorker } from './constructs/queue-worker.ts';
import { addStreamWorker } from './constructs/stream-worker.ts';
import { addQueue, type WorkQueue } from './constructs/work-queue.ts';
import { addDueSweep } from './due-sweep.ts';
import { endpointRows, messageRows } from './row-groups.ts';
import type { Service } from './service.ts';

/** A new state of a message becomes a callback. It is attempted at once, and retried from its row until delivered. */
export function addCallbacks(service: Service, deadlines: WorkQueue): void {
  const lanes = { fast: fastQueue(service), slow: slowQueue(service) };
  addFanOut(service, lanes.fast);
  addDelivery(service, lanes);
  addDueSweep(service, { callbacks: lanes.fast, deadlines });
  watchEndpoints(service);
}

function fastQueue(service: Service): WorkQueue {
  return addQueue(service, 'Callbacks', {
    worker: sizes.callbackAttempt,
    late: {
      impact: 'Callbacks wait too long for an attempt: partners learn late of delivered and opened messages.',
      lookAt: 'the log of DeliverCallback, and its throttles',
    },
    // These are the 600 s of other queues plus 900 s, because the delay of a message can count as age.
    lateAfterSeconds: 1_500,
    dlqNotEmpty: {
      impact: 'Callbacks failed by our own fault: partners do not learn of those states until a redrive.',
      lookAt: 'outcome failed in the log of DeliverCallback',
    },
  });
}

/** The queue of callbacks to endpoints that take long to respond. In the fast lane they would delay their batch. */
function slowQueue(service: Service): WorkQueue {
  return addQueue(service, 'SlowCallbacks', {
    name: 'callbacks-slow',
    worker: sizes.callbackAttempt,
    late: {
      impact:
        'Callbacks to slow endpoints have waited for an hour: partners whose servers take seconds learn late.',
      lookAt: 'which partners the log of DeliverSlowCallback names',
    },
    // Slow endpoints wait for each other, behind a large slow partner for hours. After a day it would be too late.
    lateAfterSeconds: 3_600,
    dlqNotEmpty: {
      impact: 'Callbacks to slow endpoints failed by our own fault: partners do not learn of those states.',
      lookAt: 'outcome failed in the log of DeliverSlowCallback',
    },
  });
}

function addFanOut(service: Service, callbacks: WorkQueue): void {
  addStreamWorker(service, 'FanOutStates', {
    // The endpoint says which states its partner has chosen.
    reads: [...endpointRows, ...messageRows],
    writes: ['parked message'],
    sendsTo: { CALLBACKS_QUEUE_URL: callbacks.queue },
    marker: 'callBack',
    late: {
      impact:
        'New states wait in the stream, or its reader has stopped: partners learn late what became of messages.',
      lookAt: 'the log of FanOutStates, its throttles, and its mapping',
    },
    dlqNotEmpty: {
      impact: 'New states failed every attempt: partners never learn of them, unless they read the history.',
      lookAt: 'outcome failed in the log of FanOutStates',
    },
  });
}

function addDelivery(service: Service, { fast, slow }: Record<'fast' | 'slow', WorkQueue>): void {
  const attempts = {
    size: sizes.callbackAttempt,
    readsWallet: true,
    // A retry within 15 minutes is a delayed message to the fast lane; ten attempts end the chain.
    sendsToItself: true,
    reads: [...endpointRows, 'callback'],
    writes: [
      ...endpointRows,
      'event',
      'failed callbacks',
      'callback',
      'delivered callbacks',
      'parked message',
    ],
  } as const;
  // Only the local runner sets another speed.
  const environment = { CALLBACK_ADDRESSES: 'public', CALLBACK_RETRY_SPEED: '1' };
  addQueueWorker(service, 'DeliverCallback', {
    ...attempts,
    environment: { CALLBACKS_LANE: 'fast', ...environment },
    queue: fast.queue,
    maxConcurrency: queues.callbackWorkers,
    sendsTo: { CALLBACKS_QUEUE_URL: fast.queue, SLOW_CALLBACKS_QUEUE_URL: slow.queue },
  });
  // Not a second mapping of DeliverCallback: slow endpoints must not take the concurrency of the others.
  addQueueWorker(service, 'DeliverSlowCallback', {
    codeOf: 'DeliverCallback',
    ...attempts,
    environment: { CALLBACKS_LANE: 'slow', ...environment },
    queue: slow.queue,
    // They make 400 attempts in parallel at endpoints that take 2 s and more: 27 a second if each takes 15 s.
    maxConcurrency: 40,
    // Retries start in the fast lane: the endpoint may be fast again by then.
    sendsTo: { CALLBACKS_QUEUE_URL: fast.queue },
  });
}

/** The alarm can wait, because callbacks are kept for 30 days. It is needed, because the partner may not have noticed. */
function watchEndpoints(service: Service): void {
  const { config } = service;
  addAlarm(service, 'EndpointDisabled', {
    impact: 'A partner gets no callbacks any more: its endpoint answered 410, or failed for five days.',
    lookAt: 'the lines of DeliverCallback with a reason',
    metric: sharedMetric(config, 'EndpointsDisabled', { label: 'disabled endpoints' }),
    notice: true,
  });
}
