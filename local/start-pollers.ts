import { queueUrl } from './engines/create-queues.ts';
import type { Engines } from './engines/engines.ts';
import type { FunctionPools } from './functions/function-pools.ts';
import type { Log } from './log.ts';
import type { Poller } from './poller.ts';
import { pollQueue } from './queues/poll-queue.ts';
import { queueClient } from './queues/queue-client.ts';
import { runSchedule } from './schedules/run-schedule.ts';
import { checkpointFile } from './streams/checkpoint.ts';
import { pollStream } from './streams/poll-stream.ts';
import { createShardReader } from './streams/shard-reader.ts';
import type { QueueSource, ServiceModel, StreamSource } from './template/service-model.ts';

interface PollingParts {
  readonly model: ServiceModel;
  readonly engines: Engines;
  readonly pools: FunctionPools;
  readonly checkpointFolder: string;
  /** Divides the waits between retries and the intervals of schedules: 1 is real time. */
  readonly retrySpeed: number;
  readonly log: Log;
  readonly now: () => number;
}

function startQueue(source: QueueSource, { model, engines, pools, retrySpeed, log }: PollingParts): Poller {
  const { visibilityTimeoutSeconds = 0 } = model.queues.find(({ name }) => name === source.queueName) ?? {};
  return pollQueue({
    source,
    pool: pools.of(source.functionName),
    queue: queueClient(engines.sqs, queueUrl(engines.sqsEndpoint, source.queueName)),
    ...(retrySpeed === 1 ? {} : { retryAfterSeconds: Math.round(visibilityTimeoutSeconds / retrySpeed) }),
    log,
  });
}

function startStream(source: StreamSource, parts: PollingParts): Poller {
  const { engines, pools, retrySpeed, log, now } = parts;
  const table = engines.tables.find((candidate) => candidate.model.streamArn === source.streamArn);
  const engineStreamArn = table?.engineStreamArn ?? '';
  const checkpoints = checkpointFile(parts.checkpointFolder, source.id);
  const QueueUrl = queueUrl(engines.sqsEndpoint, source.onFailureQueueName);
  return pollStream({
    source,
    pool: pools.of(source.functionName),
    engineStreamArn,
    reader: createShardReader(engines.streams, engineStreamArn, checkpoints.read()),
    checkpoints,
    sendOnFailure: async (message) => {
      await engines.sqs('SendMessage', { QueueUrl, MessageBody: JSON.stringify(message) });
    },
    retrySpeed,
    log,
    now,
  });
}

/** Starts what invokes functions by itself: the event source mappings of queues and streams, and the schedules. */
export function startPollers(parts: PollingParts): Poller[] {
  const { model, pools, retrySpeed, log, now } = parts;
  return [
    ...model.eventSources.queues.map((source) => startQueue(source, parts)),
    ...model.eventSources.streams.map((source) => startStream(source, parts)),
    ...model.schedules.map((schedule) =>
      runSchedule({ schedule, pool: pools.of(schedule.functionName), retrySpeed, log, now }),
    ),
  ];
}
