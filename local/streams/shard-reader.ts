import { type Call, isEngineError } from '../engines/json-call.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { EngineRecord } from './stream-record.ts';

interface Shards {
  readonly StreamDescription: { readonly Shards: readonly { readonly ShardId: string }[] };
}

interface Records {
  readonly Records: readonly EngineRecord[];
  readonly NextShardIterator?: string;
}

export interface ShardReaderParts {
  readonly streams: Call;
  readonly engineStreamArn: string;
  readonly checkpoint: Checkpoint | undefined;
  readonly startAt: 'TRIM_HORIZON' | 'LATEST';
}

export interface ShardReader {
  shardId(): string;
  /** Up to `limit` (1,000) further records; none when there are none yet. */
  read(limit: number, signal: AbortSignal): Promise<readonly EngineRecord[]>;
}

/** Reads a stream shard by shard, from the checkpoint on. */
export function createShardReader(parts: ShardReaderParts): ShardReader {
  const { streams, engineStreamArn: StreamArn } = parts;
  const known = parts.checkpoint?.streamArn === StreamArn ? parts.checkpoint : undefined;
  let shard = known?.shardId;
  let lastNumber = known?.sequenceNumber;
  let start: 'TRIM_HORIZON' | 'LATEST' = known ? 'TRIM_HORIZON' : parts.startAt;
  let iterator: string | undefined;

  const shardAfter = async (previous: string | undefined): Promise<string | undefined> => {
    const { StreamDescription } = await streams<Shards>('DescribeStream', { StreamArn });
    const ids = StreamDescription.Shards.map(({ ShardId }) => ShardId);
    return previous === undefined ? ids[0] : ids[ids.indexOf(previous) + 1];
  };

  const openIterator = async (): Promise<string | undefined> => {
    shard ??= await shardAfter(undefined);
    if (!shard) return undefined;
    const where = lastNumber
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: lastNumber }
      : { ShardIteratorType: start };
    const response = await streams<{ ShardIterator: string }>('GetShardIterator', {
      StreamArn,
      ShardId: shard,
      ...where,
    });
    start = 'TRIM_HORIZON';
    return response.ShardIterator;
  };

  const readOn = async (Limit: number, signal: AbortSignal): Promise<readonly EngineRecord[]> => {
    iterator ??= await openIterator();
    if (!iterator) return [];
    const response = await streams<Records>('GetRecords', { ShardIterator: iterator, Limit }, signal);
    iterator = response.NextShardIterator;
    lastNumber = response.Records.at(-1)?.dynamodb.SequenceNumber ?? lastNumber;
    return response.Records;
  };

  /** A shard that was closed and read to its end has no next iterator, but perhaps a next shard. */
  const moveOn = async (): Promise<void> => {
    const next = await shardAfter(shard);
    if (next) lastNumber = undefined;
    shard = next ?? shard;
  };

  return {
    shardId: () => shard ?? '',
    read: async (limit, signal) => {
      try {
        const records = await readOn(limit, signal);
        // The caller's checkpoint names the present shard, so the next one begins with a later call.
        if (!iterator && shard && records.length === 0) await moveOn();
        return records;
      } catch (error) {
        // Older than what the stream keeps: begin with the oldest that is left.
        if (isEngineError(error, 'TrimmedDataAccessException', 'ResourceNotFoundException')) {
          shard = undefined;
          lastNumber = undefined;
        } else if (!isEngineError(error, 'ExpiredIteratorException')) throw error;
        iterator = undefined;
        return [];
      }
    },
  };
}
