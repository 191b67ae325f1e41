import { setTimeout as delay } from 'node:timers/promises';
import { queueUrl } from '../engines/create-queues.ts';
import { cutIntoEvents } from '../functions/cut-into-events.ts';
import { type Poller, type PollingParts, poll } from '../poller.ts';
import type { StreamSource } from '../template/service-model.ts';
import { checkpointFile } from './checkpoint.ts';
import { compileFilters } from './event-pattern.ts';
import { batchHandler } from './handle-batch.ts';
import { type FailedBatch, onFailureMessage } from './on-failure.ts';
import { shardReader } from './shard-reader.ts';
import { type EngineRecord, streamRecord } from './stream-record.ts';

/**
 * Lambda polls four times a second, which is slow for a person at a terminal. So this polls more often until nothing has come
 * ten times, and then as Lambda does, because each poll takes processor time from the service and its tests.
 */
const pauseMs = 60;
const idlePauseMs = 250;
const idleReads = 10;
const maxRead = 1000;

/** Runs one stream event source mapping. It continues after a restart where it stopped. */
export function pollStream(source: StreamSource, parts: PollingParts): Poller {
  const { engines, retrySpeed, log } = parts;
  const table = engines.tables.find(({ model }) => model.streamArn === source.streamArn);
  // The engine knows the stream by a name of its own. Events carry the template's name.
  const streamArn = table?.engineStreamArn ?? '';
  const checkpoints = checkpointFile(parts.checkpointFolder, source.id);
  const reader = shardReader(engines.streams, streamArn, checkpoints.read());
  const QueueUrl = queueUrl(engines.endpoints.sqs, source.onFailureQueueName);
  const giveUp = async (failed: FailedBatch): Promise<void> => {
    const message = onFailureMessage(failed, source, reader.shardId(), Date.now());
    await engines.sqs('SendMessage', { QueueUrl, MessageBody: JSON.stringify(message) });
  };
  const matches = compileFilters(source.filters);
  return poll(`${source.functionName}: stream`, log, (polling) => {
    const pool = parts.poolOf(source.functionName);
    const handleBatch = batchHandler({ source, pool, retrySpeed, now: Date.now, giveUp, ...polling });

    /** Handles the records that were read, and writes the checkpoint behind them. */
    const handle = async (read: readonly EngineRecord[]): Promise<void> => {
      const records = read.map((record) => streamRecord(record, source.streamArn)).filter(matches);
      for (const batch of cutIntoEvents(records, source.batchSize)) await handleBatch(batch);
      const sequenceNumber = read.at(-1)?.dynamodb.SequenceNumber;
      if (sequenceNumber === undefined) return;
      checkpoints.write({ streamArn, shardId: reader.shardId(), sequenceNumber });
    };

    let pending: readonly EngineRecord[] = [];
    let emptyReads = 0;
    return async () => {
      if (pending.length === 0) pending = await reader.read(maxRead, polling.signal);
      await handle(pending);
      emptyReads = pending.length === 0 ? emptyReads + 1 : 0;
      if (emptyReads > 0) await delay(emptyReads < idleReads ? pauseMs : idlePauseMs, undefined, polling);
      pending = [];
    };
  });
}
