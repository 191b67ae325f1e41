import { availableParallelism } from 'node:os';
import { onTestFinished, test } from 'vitest';
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

/** Polls a queue that is never empty, for a function whose invocations last until the test ends. */
function start(concurrency: number) {
  const seen = { invocations: 0 };
  const end = Promise.withResolvers<never>();
  const pool: FunctionPool = {
    concurrency,
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

test('a function gets as many batches at once as it may have workers', async () => {
  const seen = start(2);
  await eventually('two batches', () => seen.invocations === 2);
});

test('a queue has at most twice as many batches under way as there are processors', async () => {
  const seen = start(1_000);
  await eventually('that many', () => seen.invocations === 2 * availableParallelism());
});
