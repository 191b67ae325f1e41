import { queueUrl } from './engines/create-queues.ts';
import type { Poller, PollingParts } from './poller.ts';
import { pollQueue } from './queues/poll-queue.ts';
import { queueClient } from './queues/queue-client.ts';
import { runSchedule } from './schedules/run-schedule.ts';
import { pollStream } from './streams/poll-stream.ts';
import { type QueueSource, readableQueueName } from './template/service-model.ts';

/** The queues that the wallet platform receives from. */
const queuesOfWallet = ['push-outbox', 'push-cancellations'];

function startQueue(source: QueueSource, { model, engines, poolOf, retrySpeed, log }: PollingParts): Poller {
  const { visibilityTimeoutSeconds = 0 } = model.queues.find(({ name }) => name === source.queueName) ?? {};
  return pollQueue({
    source,
    pool: poolOf(source.functionName),
    queue: queueClient(engines.sqs, queueUrl(engines.endpoints.sqs, source.queueName)),
    ...(retrySpeed === 1 ? {} : { retryAfterSeconds: Math.round(visibilityTimeoutSeconds / retrySpeed) }),
    log,
  });
}

/** Starts what invokes functions by itself: the event source mappings of queues and streams, and the schedules. */
export function startPollers(parts: PollingParts): Poller[] {
  const { eventSources, schedules } = parts.model;
  const queues = eventSources.queues.filter(
    ({ queueName }) => parts.simulators || !queuesOfWallet.includes(readableQueueName({ name: queueName })),
  );
  return [
    ...queues.map((source) => startQueue(source, parts)),
    ...eventSources.streams.map((source) => pollStream(source, parts)),
    ...schedules.map((schedule) => runSchedule(schedule, parts)),
  ];
}
