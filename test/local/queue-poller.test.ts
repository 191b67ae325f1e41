import { availableParallelism } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import type { FunctionPool } from '../../local/functions/function-pool.ts';
import { silentLog } from '../../local/log.ts';
import { pollQueue } from '../../local/queues/poll-queue.ts';
import { eventually } from '../../ops/scenario/eventually.ts';

const source = {
  id: 'Mapping',
  functionName: 'Work',
  queueName: 'work',
  queueArn: 'arn:aws:sqs:eu-central-1:000000000000:work',
  batchSize: 10,
  maximumConcurrency: 1_000,
};
const processors = availableParallelism();

/** A queue that is never empty, and a function of which no invocation ends before the test does. */
function start(answers: { isWaiting: boolean }) {
  const seen = { invocations: 0, asked: 0 };
  const end = Promise.withResolvers<never>();
  const pool: FunctionPool = {
    concurrency: processors + 1,
    isWaiting: () => {
      seen.asked += 1;
      return answers.isWaiting;
    },
    invoke: () => {
      seen.invocations += 1;
      return end.promise;
    },
    stop: async () => undefined,
  };
  const message = { MessageId: 'm', ReceiptHandle: 'r', Body: '{}', MD5OfBody: '' };
  const queue = {
    receive: async () => [message],
    remove: async () => undefined,
    hide: async () => undefined,
  };
  const poller = pollQueue({ source, pool, queue, log: silentLog });
  onTestFinished(async () => {
    const stopped = poller.stop();
    end.reject(new Error('the test has ended'));
    await stopped;
  });
  return seen;
}

test('a function that calculates gets as many batches at once as there are processors', async () => {
  const seen = start({ isWaiting: false });
  await eventually('two refusals of another', () => seen.asked >= 2);
  expect(seen.invocations).toBe(processors);
});

test('one that waits for a slow partner gets one more batch a second', async () => {
  const seen = start({ isWaiting: true });
  await eventually('another', () => seen.invocations > processors);
  expect(seen).toEqual({ invocations: processors + 1, asked: 1 });
});
