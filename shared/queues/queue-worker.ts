import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { inParallel } from '../runtime/in-parallel.ts';
import { startWork, type Work } from '../runtime/log.ts';

export type Delivery = { record: SQSRecord; work: Work };

type Order = {
  lineOf?: (record: SQSRecord) => string;
  stepOf?: (record: SQSRecord) => string;
  /** For work that makes many table calls at once: all the batch's calls share one pool of connections. */
  linesAtOnce?: number;
};

type Job = { record: SQSRecord; failed: boolean };

/**
 * Makes the Lambda handler of an SQS consumer. Each message is one unit of work with one log line; those whose
 * `handle` throws go back to the queue, the others are done. `lineOf` names the line a message must wait in:
 * within a line, a new `step` starts only when the step before succeeded as a whole, and after a failure the
 * rest of the line goes back too, so that order survives a retry. Messages of one step run side by side.
 */
export function queueWorker(code: string, handle: (delivery: Delivery) => Promise<void>, order: Order = {}) {
  return async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const jobs = event.Records.map((record): Job => ({ record, failed: false }));
    const lines = Map.groupBy(jobs, ({ record }) => order.lineOf?.(record) ?? record.messageId);
    await inParallel(order.linesAtOnce ?? lines.size, lines.values(), (line) =>
      workOffLine(code, handle, stepsOf(line, order.stepOf)),
    );
    return {
      batchItemFailures: jobs
        .filter(({ failed }) => failed)
        .map(({ record }) => ({ itemIdentifier: record.messageId })),
    };
  };
}

function stepsOf(line: Job[], stepOf: ((record: SQSRecord) => string) | undefined): Job[][] {
  return stepOf ? [...Map.groupBy(line, ({ record }) => stepOf(record)).values()] : [line];
}

async function workOffLine(
  code: string,
  handle: (delivery: Delivery) => Promise<void>,
  steps: Job[][],
): Promise<void> {
  for (const [n, step] of steps.entries()) {
    await Promise.all(step.map((job) => workOff(code, handle, job)));
    if (step.some(({ failed }) => failed)) {
      for (const job of steps.slice(n + 1).flat()) job.failed = true;
      return;
    }
  }
}

async function workOff(code: string, handle: (delivery: Delivery) => Promise<void>, job: Job): Promise<void> {
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
