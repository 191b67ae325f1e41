import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { queues, sizes } from './config.ts';
import { addHttpFunctions, type HttpFunctions } from './constructs/http-function.ts';
import { addQueueWorker } from './constructs/queue-worker.ts';
import { addStreamWorker } from './constructs/stream-worker.ts';
import { addQueue, type WorkQueue } from './constructs/work-queue.ts';
import { messageRows, stateRows } from './row-groups.ts';
import type { HttpService } from './service.ts';

/** The queues between the service and the wallet platform. */
export type WalletQueues = {
  outbox: Queue;
  receipts: Queue;
  cancellations: Queue;
};

/** Partners send messages; the stream hands them to the wallet platform, whose receipts become their history. */
export function addPush(service: HttpService): WalletQueues {
  addEndpoints(service);
  const outbox = addOutbox(service);
  addDispatch(service, outbox);
  const cancellations = addCancellations(service);
  return { outbox: outbox.queue, receipts: addReceipts(service), cancellations };
}

function addEndpoints(service: HttpService): void {
  // Where the wallet platform is simulated, the phones of a partner are recipients too.
  const recipients = ['recipient', 'phones'] as const;
  const bulk = ['bulk send', 'part of a bulk send'] as const;
  const sendsInBulk: HttpFunctions[string] = {
    size: sizes.listEndpoint,
    readsWallet: true,
    reads: [...recipients, 'rate of a minute', ...bulk],
    writes: ['rate of a minute', 'deadline', ...bulk, 'send in lists', 'event'],
  };
  addHttpFunctions(service, {
    UpdateRecipients: { writes: ['recipient'], readsWallet: true },
    SendMessage: {
      readsWallet: true,
      reads: [...recipients, 'rate of a minute', 'single message'],
      writes: ['rate of a minute', 'deadline', 'single message', 'event'],
    },
    SendBulk: sendsInBulk,
    SendMulti: sendsInBulk,
    GetDeliveryHistory: { reads: [...messageRows, ...stateRows] },
  });
}

function addOutbox(service: HttpService): WorkQueue {
  return addQueue(service, 'PushOutbox', {
    late: {
      impact: 'The wallet platform does not receive from push-outbox: pushes of partners are not shown.',
      lookAt: "the wallet platform's consumer",
    },
    dlqNotEmpty: {
      impact:
        'The wallet platform received messages and did not delete them: pushes of partners are not shown.',
      lookAt: "a message of the dead-letter queue and the wallet platform's log",
    },
  });
}

function addCancellations(service: HttpService): Queue {
  const cancellations = addQueue(service, 'PushCancellations', {
    late: {
      impact:
        'The wallet platform does not receive from push-cancellations: phones show what partners took back.',
      lookAt: "the wallet platform's consumer",
    },
    dlqNotEmpty: {
      impact:
        'The wallet platform received cancellations and did not delete them: phones show what partners took back.',
      lookAt: "a message of the dead-letter queue and the wallet platform's log",
    },
  });
  return cancellations.queue;
}

function addDispatch(service: HttpService, outbox: WorkQueue): void {
  addStreamWorker(service, 'DispatchMessages', {
    size: sizes.listEndpoint,
    // The stream has the send itself. States are read where single messages were cancelled before the release.
    reads: ['part of a bulk send', 'states of a bulk send'],
    writes: ['parked message'],
    sendsTo: { OUTBOX_QUEUE_URL: outbox.queue },
    marker: 'dispatch',
    onceMarked: true,
    late: {
      impact:
        'Accepted pushes wait in the stream, or its reader has stopped: pushes of partners reach devices late.',
      lookAt: 'the log of DispatchMessages, its throttles, and its mapping',
    },
    dlqNotEmpty: {
      impact:
        'Accepted pushes failed every attempt: they are never shown, though partners were told ENQUEUED.',
      lookAt: 'outcome failed in the log of DispatchMessages',
    },
  });
}

function addReceipts(service: HttpService): Queue {
  const { queue } = addQueue(service, 'DeliveryReceipts', {
    late: {
      impact: 'Receipts wait too long: histories and callbacks of partners lag behind what devices showed.',
      lookAt: 'the log of RecordReceipts, and its throttles',
    },
    dlqNotEmpty: {
      impact: 'Receipts failed by our own fault: histories and callbacks of partners lack their states.',
      lookAt: 'outcome failed in the log of RecordReceipts',
    },
  });
  addQueueWorker(service, 'RecordReceipts', {
    queue,
    maxConcurrency: queues.receiptWorkers,
    // A message holds up to 500 receipts, each one write: five messages are 2,500 writes in the function's 30 s.
    batchSize: 5,
    reads: messageRows,
    writes: [...stateRows, 'parked message'],
  });
  return queue;
}
