import * as z from 'zod/mini';
import { deleteIf, updateIf } from '../table/condition.ts';
import {
  buckets,
  callbacksPartition,
  drainedPartner,
  dueShardKey,
  endpointOwner,
  type Key,
} from '../table/keys.ts';
import { type Query, queryPage } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import { CallbackRef } from './callback.ts';
import { circuitRules } from './circuit.ts';
import { circuitShard } from './due-shard.ts';

/** Sparse, with keys only: only rows that wait have `dueShard` and `dueAt`. */
const index = 'due';

/** For queries that filter out most entries, perhaps millions: as many as fit into the 1 MB of a response. */
export const entriesPerPage = 10_000;
export const writesAtOnce = 10;

/** Twice the longest cooldown: a partner with callbacks waiting is probed sooner than that. */
const probedWithinMs = 2 * circuitRules.longestCooldownMs;

const Due = z.object({ pk: z.string(), sk: z.string(), dueAt: z.number() });
const Leased = z.extend(CallbackRef, { version: z.int() });
type Leased = z.infer<typeof Leased>;

/** A waiting row as the index shows it, which may be a moment out of date. */
export type Due = z.infer<typeof Due> & { drains?: string };
export type Page = {
  rows: Due[];
  /** Entries that were read and filtered out. */
  passedOver: number;
  next?: Key & Record<string, unknown>;
};

type Without = { without: readonly string[] };
type PageRequest = { size: number; from?: Page['next'] };

/** The rows that wait, by the time they are due. */
export function dueIndex(table: Table) {
  const pageOf = async ({ size, from }: PageRequest, query: Query): Promise<Page> => {
    const page = { IndexName: index, Limit: size, ExclusiveStartKey: from, ...query };
    const { Items, Count = 0, ScannedCount = 0, LastEvaluatedKey } = await queryPage(table, page);
    const read = { rows: z.array(Due).parse(Items).map(withDrain), passedOver: ScannedCount - Count };
    return LastEvaluatedKey ? { ...read, next: LastEvaluatedKey as Page['next'] & Key } : read;
  };

  return {
    /** Rows of a shard that are due, the longest due first, without those of up to 100 partners. */
    upTo: (dueShard: string, nowMs: number, { without, ...page }: Without & PageRequest): Promise<Page> => {
      const ofShard = buckets.filter((bucket) => dueShardKey(bucket) === dueShard);
      const partitions = without.flatMap((partnerId) => ofShard.map((b) => callbacksPartition(partnerId, b)));
      const names = partitions.map((_, n) => `:pk${n}`);
      const values = partitions.map((pk, n) => [`:pk${n}`, pk]);
      return pageOf(page, {
        KeyConditionExpression: 'dueShard = :shard AND dueAt <= :now',
        ...(partitions.length > 0 ? { FilterExpression: `NOT pk IN (${names.join(', ')})` } : {}),
        ExpressionAttributeValues: { ':shard': dueShard, ':now': nowMs, ...Object.fromEntries(values) },
      });
    },

    /**
     * A partner's rows in a bucket that are not due yet. A page may have fewer rows than requested, or none, as
     * other partners share the shard.
     */
    laterOf: (
      { partnerId, bucket }: { partnerId: string; bucket: number },
      nowMs: number,
      page: PageRequest,
    ): Promise<Page> => {
      const pk = callbacksPartition(partnerId, bucket);
      return pageOf(page, {
        KeyConditionExpression: 'dueShard = :shard AND dueAt > :now',
        FilterExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':shard': dueShardKey(bucket), ':now': nowMs, ':pk': pk },
      });
    },

    /**
     * The partners whose circuit is open, 1,000 at most. One whose cooldown ended long ago is left out: nothing
     * has probed it since, so it was disabled or has nothing waiting.
     */
    openCircuits: async (nowMs: number): Promise<string[]> => {
      const { rows } = await pageOf(
        { size: 1_000 },
        {
          KeyConditionExpression: 'dueShard = :shard AND dueAt > :since',
          ExpressionAttributeValues: { ':shard': circuitShard, ':since': nowMs - probedWithinMs },
        },
      );
      return rows.map(endpointOwner);
    },

    /**
     * Reserves a waiting row while it is in the queue: until `untilMs` nobody else sends it. Of several callers,
     * also those that read an old index, one succeeds.
     */
    lease: async ({ pk, sk, dueAt }: Due, untilMs: number): Promise<Leased | undefined> => {
      const leased = await updateIf(table, {
        Key: { pk, sk },
        UpdateExpression: 'SET dueAt = :until, version = version + :one, claimedBy = :queue',
        ConditionExpression: 'dueAt = :seen AND #status = :waiting',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':until': untilMs,
          ':one': 1,
          ':seen': dueAt,
          ':waiting': 'waiting',
          ':queue': 'queue',
        },
        ReturnValues: 'ALL_NEW',
      });
      return leased.applied ? Leased.parse(leased.result.Attributes) : undefined;
    },

    /** Makes a waiting row due now, unless it is queued or under attempt. */
    bringForward: async ({ pk, sk, dueAt }: Due, nowMs: number): Promise<boolean> => {
      const brought = await updateIf(table, {
        Key: { pk, sk },
        UpdateExpression: 'SET dueAt = :now',
        ConditionExpression: 'dueAt = :seen AND #status = :waiting AND attribute_not_exists(claimedBy)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':now': nowMs, ':seen': dueAt, ':waiting': 'waiting' },
      });
      return brought.applied;
    },

    /** Removes a finished drain, unless a newer one was requested meanwhile. */
    endDrain: async ({ pk, sk, dueAt }: Due): Promise<void> => {
      await deleteIf(table, {
        Key: { pk, sk },
        ConditionExpression: 'dueAt = :seen',
        ExpressionAttributeValues: { ':seen': dueAt },
      });
    },
  };
}

export type DueIndex = ReturnType<typeof dueIndex>;

function withDrain(row: z.infer<typeof Due>): Due {
  const drains = drainedPartner(row);
  return drains === undefined ? row : { ...row, drains };
}
