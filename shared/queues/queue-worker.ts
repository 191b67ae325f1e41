import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod/mini';
import { inParallel } from '../runtime/in-parallel.ts';
import { startWork, type Work } from '../runtime/log.ts';
import { inTimeOf, type Timed } from '../runtime/time-left.ts';

export type Delivery = { record: SQSRecord; work: Work };

type Order = {
  groupOf?: (record: SQSRecord) => string;
  stepOf?: (record: SQSRecord) => string;
};

/** A message of a batch: it succeeds or fails by itself, and has one log line. */
type Job = Delivery & { failures: unknown[] };

/**
 * Makes the Lambda handler of an SQS consumer. Each message is one unit of work with one log line; those whose
 * `handle` throws go back to the queue. Groups (`groupOf`) are processed side by side. Within a group, the messages of
 * a step (`stepOf`) run side by side, and the next step starts only if all of them succeeded; otherwise the rest of
 * the group goes back too, so that order survives a retry.
 */
export function queueWorker(code: string, handle: (delivery: Delivery) => Promise<void>, order: Order = {}) {
  return (event: SQSEvent, context?: Timed): Promise<SQSBatchResponse> =>
    inTimeOf(context, async () => {
      const groups = Map.groupBy(event.Records, (record) => order.groupOf?.(record) ?? record.messageId);
      const failed = await Promise.all(
        [...groups.values()].map((group) =>
          processInOrder(stepsOf(group, order.stepOf), (record) => run(code, handle, record)),
        ),
      );
      return responseOf(failed.flat());
    });
}

/** What a message asks for, with the message's unit of work. */
export type Part<Item> = { item: Item; work: Work };

type Combining<Item> = {
  /** What one message asks for. */
  read: (delivery: Delivery) => Promise<Item[]>;
  groupOf: (item: Item) => string;
  /** Processes what all messages ask of a group. */
  apply: (parts: readonly Part<Item>[]) => Promise<void>;
  readsAtOnce: number;
  groupsAtOnce: number;
};

/**
 * The same for messages that ask for changes of the same rows: what all messages of a batch ask of a group is applied
 * once. A group that fails sends every message back that has a part in it.
 */
export function combiningWorker<Item>(code: string, combining: Combining<Item>) {
  const { read, groupOf, apply, readsAtOnce, groupsAtOnce } = combining;
  return (event: SQSEvent, context?: Timed): Promise<SQSBatchResponse> =>
    inTimeOf(context, async () => {
      const jobs = event.Records.map((record) => startJob(code, record));
      const items = new Map<Job, Item[]>();
      await inParallel(readsAtOnce, jobs, (job) =>
        attempt([job], async () => {
          items.set(job, await read(job));
        }),
      );
      const parts = jobs.flatMap(
        (job) => items.get(job)?.map((item) => ({ item, work: job.work, job })) ?? [],
      );
      const groups = Map.groupBy(parts, ({ item }) => groupOf(item)).values();
      await inParallel(groupsAtOnce, groups, (group) =>
        attempt(new Set(group.map(({ job }) => job)), () => apply(group)),
      );
      return responseOf(jobs.filter((job) => !endJob(job)).map(({ record }) => record));
    });
}

/** The JSON of a message's body, or `undefined` for a body that its schema does not describe. */
export function readBody<Schema extends z.ZodMiniType>(schema: Schema, body: string) {
  try {
    return schema.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** A failure of the task is one of all these jobs, and of no others. */
async function attempt(jobs: Iterable<Job>, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    for (const { failures } of jobs) failures.push(error);
  }
}

function responseOf(failed: SQSRecord[]): SQSBatchResponse {
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

function stepsOf(group: SQSRecord[], stepOf: Order['stepOf']): SQSRecord[][] {
  return stepOf ? [...Map.groupBy(group, stepOf).values()] : [group];
}

/** Returns the records that go back to the queue. */
async function processInOrder(
  steps: SQSRecord[][],
  process: (record: SQSRecord) => Promise<boolean>,
): Promise<SQSRecord[]> {
  for (const [n, step] of steps.entries()) {
    const done = await Promise.all(step.map(process));
    const failed = step.filter((_, index) => !done[index]);
    if (failed.length > 0) return [...failed, ...steps.slice(n + 1).flat()];
  }
  return [];
}

async function run(
  code: string,
  handle: (delivery: Delivery) => Promise<void>,
  record: SQSRecord,
): Promise<boolean> {
  const job = startJob(code, record);
  await attempt([job], () => handle(job));
  return endJob(job);
}

function startJob(code: string, record: SQSRecord): Job {
  const work = startWork(code, {
    messageId: record.messageId,
    receiveCount: Number(record.attributes.ApproximateReceiveCount),
  });
  return { record, work, failures: [] };
}

/** Writes the job's line and returns whether it succeeded. */
function endJob({ work, failures: [failure, ...more] }: Job): boolean {
  if (failure === undefined) work.done('done');
  else work.failed(failure, more.length > 0 ? { failures: more.length + 1 } : {});
  return failure === undefined;
}
