import { streams } from '../../../infra/config.ts';
import { messageHandler } from '../../../local/queues/handle-messages.ts';
import { compileFilters } from '../../../local/streams/event-pattern.ts';
import { batchHandler } from '../../../local/streams/handle-batch.ts';
import { onFailureMessage } from '../../../local/streams/on-failure.ts';
import { type StreamRecord, streamRecord } from '../../../local/streams/stream-record.ts';
import type { QueueSource, ScheduleModel, StreamSource } from '../../../local/template/service-model.ts';
import type { Pool } from './functions.ts';
import { physics } from './physics.ts';
import type { QueueModels } from './queues.ts';
import type { RunParts } from './run-parts.ts';
import type { SimulatedTable } from './table-engine.ts';

type Parts = RunParts & {
  queues: QueueModels;
  table: SimulatedTable;
  poolOf: (functionName: string) => Pool;
};

const { signal } = new AbortController();

/** Invokes a function with the messages of a queue, as its mapping in the template says. */
export function feedFromQueue(source: QueueSource, { time, rng, queues, log, poolOf }: Parts): void {
  const pool = poolOf(source.functionName);
  const queue = queues.queue(source.queueName);
  const warn = (line: string) => log.add(`${source.queueName}: ${line}`);
  const handle = messageHandler({ source, pool, queue, signal, warn });
  const atMost = Math.min(source.maximumConcurrency, pool.concurrency);
  let running = 0;
  let awaited = false;
  /** The beginning of the current backlog. */
  let busySince = time.now();

  /** Lambda begins with a few batches at once, and adds more while there is a backlog. */
  const atOnce = (): number => {
    const { first, morePerMinute } = physics.queueMapping;
    return Math.min(atMost, first + Math.floor(((time.now() - busySince) / 60_000) * morePerMinute));
  };

  const receive = async (): Promise<void> => {
    awaited = false;
    if (running >= atOnce()) return poke();
    // A queue with many messages delivers full batches.
    const isFull = queue.ready() > 3 * source.batchSize;
    const messages = await queue.receive(isFull ? source.batchSize : rng.between(1, source.batchSize + 1));
    if (messages.length === 0) return;
    if (running === 0 && !isFull) busySince = time.now();
    running += 1;
    log.add(`${source.queueName}: ${messages.map(({ MessageId }) => MessageId.slice(-12)).join(' ')}`);
    // This is not awaited, because other events happen while the function runs.
    handle(messages).finally(() => {
      running -= 1;
      poke();
    });
    poke();
  };
  const poke = (): void => {
    if (awaited || running >= atMost || !queue.isReady()) return;
    awaited = true;
    const isGrowing = running >= atOnce();
    time.after(isGrowing ? 60_000 / physics.queueMapping.morePerMinute : rng.between(1, 40), receive);
  };
  queue.onVisible = poke;
}

/** Records of one key stay in order. Two shards do not wait for each other, nor do batches of a shard that run at once. */
const shards = 2;

const lanes = shards * streams.batchesAtOnce;

function laneOf({ dynamodb }: StreamRecord): number {
  return Buffer.from(JSON.stringify(dynamodb.Keys)).reduce((sum, byte) => sum + byte, 0) % lanes;
}

/** Invokes functions with the changes of the table, as their mappings in the template say. */
export function feedFromStream(sources: readonly StreamSource[], parts: Parts) {
  const { time, rng, faults, log, table, queues, poolOf } = parts;
  const readers = sources.flatMap((source) =>
    Array.from({ length: lanes }, (_, lane) => {
      const matches = compileFilters(source.filters);
      const waiting: StreamRecord[] = [];
      let busy = false;
      const handle = batchHandler({
        source,
        pool: poolOf(source.functionName),
        retrySpeed: 1,
        signal,
        now: time.now,
        warn: (line) => log.add(`stream of ${source.functionName}: ${line}`),
        giveUp: async (failed) => {
          log.add(`stream: ${source.functionName} gave up ${failed.records.length} records`);
          const message = onFailureMessage(failed, source, String(lane % shards), time.now());
          queues.queue(source.onFailureQueueName).add({ MessageBody: JSON.stringify(message) });
        },
      });
      const run = async (): Promise<void> => {
        while (waiting.length > 0) {
          const few = rng.between(1, Math.min(source.batchSize, 20) + 1);
          const batch = waiting.splice(0, waiting.length > source.batchSize ? source.batchSize : few);
          await handle(batch);
          if (faults.happens('streamAgain')) {
            log.add(`stream of ${source.functionName}: ${batch.length} records again`);
            await handle(batch);
          }
        }
        busy = false;
      };
      return {
        offer: (records: readonly StreamRecord[]) => {
          waiting.push(...records.filter((record) => laneOf(record) === lane && matches(record)));
          if (busy || waiting.length === 0) return;
          busy = true;
          time.after(rng.between(1, 200), () => void run());
        },
        isIdle: () => !busy && waiting.length === 0,
      };
    }),
  );

  // There is one table, so there is one stream.
  const streamArn = sources[0]?.streamArn ?? '';
  let awaited = false;
  const readChanges = async (): Promise<void> => {
    awaited = false;
    const read = await table.changes();
    const changes = read.map((change) => {
      const { pk, sk } = change.dynamodb.Keys as Record<string, { S: string }>;
      const writtenAt = table.writtenAt.get(`${pk?.S} ${sk?.S}`)?.shift() ?? time.now();
      return { ...change, dynamodb: { ...change.dynamodb, ApproximateCreationDateTime: writtenAt / 1_000 } };
    });
    if (changes.length === 0) table.writtenAt.clear();
    // One read may not return all changes, so another read is planned.
    if (changes.length > 0) written();
    const records = changes.map((change) => streamRecord(change, streamArn));
    for (const { offer } of readers) offer(records);
  };
  const written = (): void => {
    if (awaited) return;
    awaited = true;
    const ms = faults.happens('streamLate') ? rng.between(5_000, 600_000) : rng.between(50, 1_000);
    time.after(ms, readChanges);
  };
  return {
    written,
    isIdle: () => !awaited && readers.every(({ isIdle }) => isIdle()),
  };
}

/** Invokes a function at its interval, but not while nothing is due. */
export function runSchedule(schedule: ScheduleModel, parts: Parts, nextDue: () => Promise<number>): void {
  const { everyMs, functionName } = schedule;
  const { time, rng, faults, log, poolOf } = parts;
  const pool = poolOf(functionName);
  const event = { 'detail-type': 'Scheduled Event' };
  const invoke = () => void pool.invoke(event).catch((error) => log.add(`schedule: ${error}`));
  const tick = async (): Promise<void> => {
    time.after(everyMs, tick);
    // A run looks 90 s ahead.
    if ((await nextDue()) > time.now() + 90_000) return;
    if (faults.happens('scheduleMissed')) return log.add(`schedule: ${functionName} is missed`);
    invoke();
    if (faults.happens('scheduleTwice')) time.after(rng.between(1, 5_000), invoke);
  };
  time.after(everyMs, tick);
}
