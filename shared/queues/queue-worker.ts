import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { inParallel } from '../runtime/in-parallel.ts';
import { startWork, type Work } from '../runtime/log.ts';

export type Delivery = { record: SQSRecord; work: Work };

type Order = {
  groupOf?: (record: SQSRecord) => string;
  stepOf?: (record: SQSRecord) => string;
  /** For handlers that make many table calls at once: all calls of a batch share one pool of connections. */
  groupsAtOnce?: number;
};

type Job = { record: SQSRecord; failed: boolean };

/**
 * Makes the Lambda handler of an SQS consumer. Each message is one unit of work with one log line; those whose
 * `handle` throws go back to the queue. Groups (`groupOf`) are processed side by side. Within a group, the messages of
 * a step (`stepOf`) run side by side, and the next step starts only if all of them succeeded; otherwise the rest of
 * the group goes back too, so that order survives a retry.
 */
export function queueWorker(code: string, handle: (delivery: Delivery) => Promise<void>, order: Order = {}) {
  return async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const jobs = event.Records.map((record): Job => ({ record, failed: false }));
    const groups = Map.groupBy(jobs, ({ record }) => order.groupOf?.(record) ?? record.messageId);
    await inParallel(order.groupsAtOnce ?? groups.size, groups.values(), (group) =>
      processInOrder(stepsOf(group, order.stepOf), (job) => run(code, handle, job)),
    );
    return {
      batchItemFailures: jobs
        .filter(({ failed }) => failed)
        .map(({ record }) => ({ itemIdentifier: record.messageId })),
    };
  };
}

function stepsOf(group: Job[], stepOf: Order['stepOf']): Job[][] {
  return stepOf ? [...Map.groupBy(group, ({ record }) => stepOf(record)).values()] : [group];
}

async function processInOrder(steps: Job[][], process: (job: Job) => Promise<void>): Promise<void> {
  for (const [n, step] of steps.entries()) {
    await Promise.all(step.map(process));
    if (step.some(({ failed }) => failed)) {
      for (const job of steps.slice(n + 1).flat()) job.failed = true;
      return;
    }
  }
}

async function run(code: string, handle: (delivery: Delivery) => Promise<void>, job: Job): Promise<void> {
  const { record } = job;
  const work = startWork(code, {
    messageId: record.messageId,
    receiveCount: Number(record.attributes.ApproximateReceiveCount),
  });
  try {
    await handle({ record, work });
    work.done('done');
  } catch (error) {
    job.failed = true;
    work.failed(error);
  }
}
