import { type Call, isEngineError } from '../engines/json-call.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { EngineRecord } from './stream-record.ts';

type Shards = { StreamDescription: { Shards: readonly { ShardId: string }[] } };
type Records = { Records: readonly EngineRecord[]; NextShardIterator?: string };

/** Reads a stream shard by shard, from the checkpoint on, or else from its oldest record. */
export function shardReader(streams: Call, StreamArn: string, checkpoint: Checkpoint | undefined) {
  const known = checkpoint?.streamArn === StreamArn ? checkpoint : undefined;
  let shard = known?.shardId;
  let lastNumber = known?.sequenceNumber;
  let iterator: string | undefined;

  const shardAfter = async (previous: string | undefined): Promise<string | undefined> => {
    const { StreamDescription } = await streams<Shards>('DescribeStream', { StreamArn });
    const ids = StreamDescription.Shards.map(({ ShardId }) => ShardId);
    return previous === undefined ? ids[0] : ids[ids.indexOf(previous) + 1];
  };

  const openIterator = async (): Promise<string | undefined> => {
    shard ??= await shardAfter(undefined);
    if (!shard) return undefined;
    const position = lastNumber
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: lastNumber }
      : { ShardIteratorType: 'TRIM_HORIZON' };
    const input = { StreamArn, ShardId: shard, ...position };
    return (await streams<{ ShardIterator: string }>('GetShardIterator', input)).ShardIterator;
  };

  const readNext = async (Limit: number, signal: AbortSignal): Promise<readonly EngineRecord[]> => {
    iterator ??= await openIterator();
    if (!iterator) return [];
    const response = await streams<Records>('GetRecords', { ShardIterator: iterator, Limit }, signal);
    iterator = response.NextShardIterator;
    lastNumber = response.Records.at(-1)?.dynamodb.SequenceNumber ?? lastNumber;
    return response.Records;
  };

  /** Moves on after a closed shard was read to its end, if there is another shard. */
  const moveToNextShard = async (): Promise<void> => {
    const next = await shardAfter(shard);
    if (next) lastNumber = undefined;
    shard = next ?? shard;
  };

  return {
    shardId: () => shard ?? '',
    /** Reads up to `limit` (at most 1,000) further records. Returns none if there are none yet. */
    read: async (limit: number, signal: AbortSignal): Promise<readonly EngineRecord[]> => {
      try {
        const records = await readNext(limit, signal);
        // The caller's checkpoint names the current shard, so the next one begins with a later call.
        if (!iterator && shard && records.length === 0) await moveToNextShard();
        return records;
      } catch (error) {
        // The position is older than what the stream keeps: start at the oldest record.
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
