import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CreatedTable } from '../engines/create-tables.ts';
import type { Call } from '../engines/json-call.ts';
import type { FunctionPool } from '../functions/function-pool.ts';
import type { Log } from '../log.ts';
import { compileFilters } from '../patterns/event-pattern.ts';
import type { Poller } from '../poller.ts';
import type { StreamSource } from '../template/event-sources.ts';
import { checkpointFile } from './checkpoint.ts';
import { createBatchHandler } from './handle-batch.ts';
import { createGiveUp } from './on-failure.ts';
import { createShardReader, type ShardReader } from './shard-reader.ts';
import { type EngineRecord, itemKey, type StreamRecord, streamRecord } from './stream-record.ts';

export interface StreamPollerParts {
  readonly source: StreamSource;
  readonly table: CreatedTable;
  readonly pool: FunctionPool;
  readonly streams: Call;
  readonly sqs: Call;
  readonly sqsEndpoint: string;
  readonly checkpointFolder: string;
  readonly retrySpeed: number;
  readonly log: Log;
  readonly now: () => number;
}

/** Lambda asks four times a second; a person at a terminal should wait less. */
const idlePauseMs = 50;
const maxRead = 1000;
const maxBatchBytes = 6_000_000;

/** The same item always goes into the same lane. */
function laneOf(record: StreamRecord, lanes: number): number {
  return lanes === 1 ? 0 : createHash('md5').update(itemKey(record)).digest().readUInt32BE() % lanes;
}

function cutIntoBatches(records: readonly StreamRecord[], batchSize: number): StreamRecord[][] {
  const batches: StreamRecord[][] = [];
  let bytes = 0;
  for (const record of records) {
    const size = Buffer.byteLength(JSON.stringify(record));
    const batch = batches.at(-1);
    if (!batch || batch.length >= batchSize || bytes + size > maxBatchBytes) {
      batches.push([record]);
      bytes = size;
    } else {
      batch.push(record);
      bytes += size;
    }
  }
  return batches;
}

/** Runs one stream event source mapping. What it has done, it remembers over restarts. */
export function pollStream(parts: StreamPollerParts): Poller {
  const { source, table, log } = parts;
  const engineStreamArn = table.engineStreamArn ?? '';
  const passes = compileFilters(source.filters);
  const checkpoints = checkpointFile(parts.checkpointFolder, source.id);
  const stopping = new AbortController();
  const { signal } = stopping;
  const warn = (line: string): void => {
    if (!signal.aborted) log.warn(`${source.functionName}: ${line}`);
  };
  const reader = createShardReader({
    streams: parts.streams,
    engineStreamArn,
    checkpoint: checkpoints.read(),
    // A table made a moment ago has nothing older than "latest".
    startAt: table.isNew ? 'TRIM_HORIZON' : source.startingPosition,
  });
  const giveUp = createGiveUp({ ...parts, shardId: reader.shardId });
  const handleBatch = createBatchHandler({ ...parts, signal, giveUp, warn });

  const handleLane = async (records: readonly StreamRecord[]): Promise<void> => {
    for (const batch of cutIntoBatches(records, source.batchSize)) await handleBatch(batch);
  };

  /** Handles what was read; afterwards it need never be read again. */
  const handle = async (records: readonly EngineRecord[]): Promise<void> => {
    const lanes = Array.from({ length: source.parallelizationFactor }, (): StreamRecord[] => []);
    for (const record of records.map((raw) => streamRecord(raw, source.streamArn))) {
      if (passes(record)) lanes[laneOf(record, lanes.length)]?.push(record);
    }
    await Promise.all(lanes.map(handleLane));
    const sequenceNumber = records.at(-1)?.dynamodb.SequenceNumber;
    if (sequenceNumber === undefined) return;
    checkpoints.write({ streamArn: engineStreamArn, shardId: reader.shardId(), sequenceNumber });
  };

  const polling = pollForEver({ source, reader, handle, passes, warn, signal });
  return {
    stop: async () => {
      stopping.abort();
      await polling;
    },
  };
}

interface PollingParts {
  readonly source: StreamSource;
  readonly reader: ShardReader;
  readonly handle: (records: readonly EngineRecord[]) => Promise<void>;
  readonly passes: (record: EngineRecord) => boolean;
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Reads until a full batch is there or the batching window ends; records the filter drops do not fill it. */
async function gather({ source, reader, passes, signal }: PollingParts): Promise<readonly EngineRecord[]> {
  const limit = Math.min(maxRead, source.batchSize * source.parallelizationFactor);
  const gathered: EngineRecord[] = [...(await reader.read(maxRead, signal))];
  const deadline = performance.now() + source.batchingWindowSeconds * 1000;
  while (gathered.some(passes) && performance.now() < deadline) {
    if (gathered.filter(passes).length >= limit) break;
    await delay(idlePauseMs, undefined, { signal });
    gathered.push(...(await reader.read(maxRead, signal)));
  }
  return gathered;
}

async function pollForEver(parts: PollingParts): Promise<void> {
  const { handle, warn, signal } = parts;
  let pending: readonly EngineRecord[] = [];
  while (!signal.aborted) {
    try {
      if (pending.length === 0) pending = await gather(parts);
      await handle(pending);
      const wasIdle = pending.length === 0;
      pending = [];
      if (wasIdle) await delay(idlePauseMs, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      warn(`stream: ${error}`);
      await delay(500, undefined, { signal }).catch(() => undefined);
    }
  }
}
