import * as z from 'zod/mini';
import { updateIf } from '../../platform/table/condition.ts';
import {
  buckets,
  closedShard,
  deferredShardKey,
  dueShardOf,
  endpointOwner,
  type Key,
  openShard,
} from '../../platform/table/keys.ts';
import { readAll } from '../../platform/table/read-all.ts';
import { type Query, queryPage } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { CallbackRef } from '../callback.ts';

/** Sparse, with keys only: only rows that wait have `dueShard` and `dueAt`. */
const index = 'due';

const maxCircuits = 1_000;

const DueRow = z.object({ pk: z.string(), sk: z.string(), dueAt: z.number() });
const WaitingRow = z.extend(CallbackRef, { ...DueRow.shape, version: z.int() });

/** A waiting row as the index shows it, which may be a moment out of date. */
export type DueRow = z.infer<typeof DueRow>;
export type WaitingRow = z.infer<typeof WaitingRow>;
export type DuePage = { rows: DueRow[]; next?: Key & Record<string, unknown> };

export type ClosedCircuit = { partnerId: string; closedAt: number };

type PageRequest = { size: number; from?: DuePage['next'] };

/** The rows that wait: for a time, in shards, or for the end of a circuit, by partner. */
export function dueIndex(table: Table) {
  const pageOf = async ({ size, from }: PageRequest, query: Query): Promise<DuePage> => {
    const page = { IndexName: index, Limit: size, ExclusiveStartKey: from, ...query };
    const { Items, LastEvaluatedKey } = await queryPage(table, page);
    const rows = z.array(DueRow).parse(Items);
    return LastEvaluatedKey ? { rows, next: LastEvaluatedKey as DuePage['next'] & Key } : { rows };
  };

  const deferredIn = (partnerId: string, bucket: number, page: PageRequest): Promise<DuePage> =>
    pageOf(page, {
      KeyConditionExpression: 'dueShard = :shard',
      ExpressionAttributeValues: { ':shard': deferredShardKey(partnerId, bucket) },
    });

  const circuitsIn = async (dueShard: string): Promise<{ partnerId: string; dueAt: number }[]> => {
    const query = {
      KeyConditionExpression: 'dueShard = :shard',
      ExpressionAttributeValues: { ':shard': dueShard },
      // Of more than fit, those of last were probed last.
      ScanIndexForward: false,
    };
    const { rows } = await pageOf({ size: maxCircuits }, query);
    return rows.map((row) => ({ partnerId: endpointOwner(row), dueAt: row.dueAt }));
  };

  return {
    /** Rows of a shard that are due, the longest due first. */
    upTo: (dueShard: string, nowMs: number, page: PageRequest): Promise<DuePage> =>
      pageOf(page, {
        KeyConditionExpression: 'dueShard = :shard AND dueAt <= :now',
        ExpressionAttributeValues: { ':shard': dueShard, ':now': nowMs },
      }),

    /** What a partner's open circuit deferred, of one bucket, the longest deferred first. */
    deferredOf: deferredIn,

    /** What it deferred longest ago, if anything. */
    oldestDeferredOf: async (partnerId: string): Promise<DueRow | undefined> => {
      const pages = await Promise.all(buckets.map((bucket) => deferredIn(partnerId, bucket, { size: 1 })));
      const [oldest] = pages.flatMap(({ rows }) => rows).sort((a, b) => a.dueAt - b.dueAt);
      return oldest;
    },

    /** The partners whose circuit is open, and when it half-opens. */
    openCircuits: async (): Promise<{ partnerId: string; openUntil: number }[]> =>
      (await circuitsIn(openShard)).map(({ dueAt, ...of }) => ({ ...of, openUntil: dueAt })),

    /** The partners whose circuit has closed with callbacks deferred, and when. */
    closedCircuits: async (): Promise<ClosedCircuit[]> =>
      (await circuitsIn(closedShard)).map(({ dueAt, ...of }) => ({ ...of, closedAt: dueAt })),

    /** The rows themselves, but for those that have changed since the index showed them. */
    readWaiting: async (rows: readonly DueRow[]): Promise<WaitingRow[]> => {
      const dueAt = new Map(rows.map((row) => [`${row.pk} ${row.sk}`, row.dueAt]));
      const found = await readAll(
        table,
        rows.map(({ pk, sk }) => ({ pk, sk })),
      );
      const waiting = found.flatMap((row) => WaitingRow.safeParse(row).data ?? []);
      return waiting.filter((row) => dueAt.get(`${row.pk} ${row.sk}`) === row.dueAt);
    },

    /**
     * Marks a row of which a message is in the queue: it comes due again at `untilMs`, when the queue no longer has the
     * message. If the row has changed, its message was quicker, or will be void.
     */
    markQueued: async (
      { pk, sk, dueAt, version, messageId }: WaitingRow,
      { nowMs, untilMs }: { nowMs: number; untilMs: number },
    ): Promise<'marked' | 'changed'> => {
      const marked = await updateIf(table, {
        Key: { pk, sk },
        UpdateExpression: 'SET dueAt = :until, dueShard = :dueShard, queuedAt = :now REMOVE waitsForCircuit',
        ConditionExpression: 'version = :version AND dueAt = :seen AND #status = :waiting',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':until': untilMs,
          ':dueShard': dueShardOf(messageId),
          ':now': nowMs,
          ':version': version,
          ':seen': dueAt,
          ':waiting': 'waiting',
        },
      });
      return marked.applied ? 'marked' : 'changed';
    },
  };
}

export type DueIndex = ReturnType<typeof dueIndex>;
