import { setTimeout as delay } from 'node:timers/promises';
import { cutIntoEvents } from '../functions/cut-into-events.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { Log } from '../log.ts';
import { type Poller, poll } from '../poller.ts';
import type { StreamSource } from '../template/service-model.ts';
import type { CheckpointFile } from './checkpoint.ts';
import { compileFilters } from './event-pattern.ts';
import { createBatchHandler } from './handle-batch.ts';
import { onFailureMessage } from './on-failure.ts';
import type { ShardReader } from './shard-reader.ts';
import { type EngineRecord, type StreamRecord, streamRecord } from './stream-record.ts';

interface StreamPollerParts {
  readonly source: StreamSource;
  readonly pool: FunctionPool;
  /** The name by which the engine knows the stream. Events carry the template's name. */
  readonly engineStreamArn: string;
  readonly reader: ShardReader;
  readonly checkpoints: CheckpointFile;
  readonly sendOnFailure: (message: object) => Promise<void>;
  readonly retrySpeed: number;
  readonly log: Log;
  readonly now: () => number;
}

/** Lambda polls four times a second, which is slow for a person at a terminal. */
const idlePauseMs = 60;
const maxRead = 1000;

function bytesOf(record: StreamRecord): number {
  return Buffer.byteLength(JSON.stringify(record));
}

/** Runs one stream event source mapping. It continues after a restart where it stopped. */
export function pollStream(parts: StreamPollerParts): Poller {
  const { source, reader, now } = parts;
  const matches = compileFilters(source.filters);
  return poll(`${source.functionName}: stream`, parts.log, (polling) => {
    const handleBatch = createBatchHandler({
      ...parts,
      ...polling,
      giveUp: (failed) => parts.sendOnFailure(onFailureMessage(failed, source, reader.shardId(), now())),
    });

    /** Handles the records that were read, and writes the checkpoint behind them. */
    const handle = async (read: readonly EngineRecord[]): Promise<void> => {
      const records = read.map((record) => streamRecord(record, source.streamArn)).filter(matches);
      for (const batch of cutIntoEvents(records, source.batchSize, bytesOf)) await handleBatch(batch);
      const sequenceNumber = read.at(-1)?.dynamodb.SequenceNumber;
      if (sequenceNumber === undefined) return;
      const streamArn = parts.engineStreamArn;
      parts.checkpoints.write({ streamArn, shardId: reader.shardId(), sequenceNumber });
    };

    let pending: readonly EngineRecord[] = [];
    return async () => {
      if (pending.length === 0) pending = await reader.read(maxRead, polling.signal);
      await handle(pending);
      if (pending.length === 0) await delay(idlePauseMs, undefined, polling);
      pending = [];
    };
  });
}
