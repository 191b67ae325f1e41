import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import { startWork, type Work } from '../logging/log.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { inReserve, type Timed, withinTime } from '../runtime/time-left.ts';
import { unlessItFails } from '../runtime/unless-it-fails.ts';
import type { Queue } from './queue.ts';

/** `fail` makes the message fail once everything else that it asks for is done. */
export type Delivery = { record: SQSRecord; work: Work; fail: (error: unknown) => void };

/** A message of a batch: it succeeds or fails by itself, and has one log line. */
type Job = Delivery & { failures: unknown[] };

/**
 * Makes the Lambda handler of an SQS consumer. Each message is one unit of work with one log line; those whose
 * `handle` throws go back to the queue, after `onFailure`. They are processed side by side.
 */
export function queueWorker(
  code: string,
  handle: (delivery: Delivery) => Promise<void>,
  onFailure?: (record: SQSRecord) => Promise<void>,
) {
  return batchWorker(code, async (jobs) => {
    const run = async (job: Job): Promise<void> => {
      await runTask([job], () => handle(job));
      if (job.failures.length > 0) await runTask([job], async () => onFailure?.(job.record));
      endJob(job);
    };
    await Promise.all(jobs.map(run));
  });
}

/** An item that a message asks to process, with the message's unit of work. */
export type WorkItem<Item> = { item: Item; work: Work };

type Combining<Item> = {
  /** Reads the items that a message asks to process. */
  read: (delivery: Delivery) => Promise<Item[]>;
  groupBy: (item: Item) => string;
  /** Processes all items of a group, from any message of the batch. */
  apply: (parts: readonly WorkItem<Item>[]) => Promise<void>;
  readsAtOnce: number;
  groupsAtOnce: number;
};

/**
 * Makes the handler of a consumer whose messages change the same rows: the items of all messages in a batch are
 * grouped by row, and each group is applied once. If a group fails, every message with an item in it returns to the
 * queue.
 */
export function combiningWorker<Item>(code: string, combining: Combining<Item>) {
  const { read, groupBy, apply, readsAtOnce, groupsAtOnce } = combining;
  return batchWorker(code, async (jobs) => {
    const items = new Map<Job, Item[]>();
    await inParallel(readsAtOnce, jobs, (job) =>
      runTask([job], async () => {
        items.set(job, await read(job));
      }),
    );
    const parts = jobs.flatMap((job) => items.get(job)?.map((item) => ({ item, work: job.work, job })) ?? []);
    const groups = Map.groupBy(parts, ({ item }) => groupBy(item)).values();
    await inParallel(groupsAtOnce, groups, (group) =>
      runTask(new Set(group.map(({ job }) => job)), () => apply(group)),
    );
    jobs.forEach(endJob);
  });
}

/** Returns the jobs that failed to the queue. `run` processes and ends all jobs of a batch. */
function batchWorker(code: string, run: (jobs: readonly Job[]) => Promise<void>) {
  return (event: SQSEvent, context?: Timed): Promise<SQSBatchResponse> =>
    withinTime(context, async () => {
      const jobs = event.Records.map((record) => startJob(code, record));
      await run(jobs);
      const failed = jobs.filter(({ failures }) => failures.length > 0);
      return { batchItemFailures: failed.map(({ record }) => ({ itemIdentifier: record.messageId })) };
    });
}

/** The JSON of a message's body, or `undefined` for a body that its schema does not describe. */
export function parseMessageBody<Schema extends z.ZodMiniType>(schema: Schema, body: string) {
  return unlessItFails(() => schema.parse(JSON.parse(body)));
}

/** Runs the task. If it throws, all of these jobs are marked as failed; other jobs are unaffected. */
async function runTask(jobs: Iterable<Job>, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    for (const { failures } of jobs) failures.push(error);
  }
}

function startJob(code: string, record: SQSRecord): Job {
  const work = startWork(code, {
    queueMessageId: record.messageId,
    receiveCount: Number(record.attributes.ApproximateReceiveCount),
  });
  const failures: unknown[] = [];
  return { record, work, failures, fail: (error) => failures.push(error) };
}

/** Writes the job's log line. */
function endJob({ work, failures }: Job): void {
  if (failures.length === 0) work.done('done');
  else work.failed(failures[0], failures.length > 1 ? { failures: failures.length } : {});
}

/**
 * Longer than a call that the failed try gave up can still take effect: the table responds in milliseconds, and the
 * client gives up after 1.5 s.
 */
const firstSeconds = 30;
/** This limit spreads 20 tries that fail immediately over 50 minutes, longer than most outages. */
const longestSeconds = 180;

/**
 * Makes a failed message visible again before the visibility timeout of its queue ends, which must be longer than the
 * function may run. If that fails too, the message comes back when the timeout ends.
 */
export function comesBackSoon({ client, url }: Queue) {
  return async ({ receiptHandle, attributes }: SQSRecord): Promise<void> => {
    const earlierTries = Number(attributes.ApproximateReceiveCount) - 1;
    const change = new ChangeMessageVisibilityCommand({
      QueueUrl: url,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: Math.min(longestSeconds, firstSeconds * 2 ** earlierTries),
    });
    // The message may have failed because the function's time is over.
    await inReserve(() => client.send(change));
  };
}
