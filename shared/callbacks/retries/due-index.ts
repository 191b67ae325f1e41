import * as z from 'zod/mini';
import { updateIf } from '../../platform/table/condition.ts';
import {
  buckets,
  type closedShard,
  deferredShardKey,
  dueShardOf,
  endpointOwner,
  type openShard,
} from '../../platform/table/keys.ts';
import { readAll } from '../../platform/table/read-all.ts';
import { queryPage } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { CallbackRef } from '../callback.ts';
import { changeIf } from './row.ts';

/** Sparse, with keys only: only rows that wait have `dueShard` and `dueAt`. */
const index = 'due';

const maxCircuits = 1_000;

const DueRow = z.object({ pk: z.string(), sk: z.string(), dueAt: z.number() });
const WaitingRow = z.extend(CallbackRef, { ...DueRow.shape, version: z.int() });

/** A waiting row as the index shows it, which may be a moment out of date. */
export type DueRow = z.infer<typeof DueRow>;
type WaitingRow = z.infer<typeof WaitingRow>;
export type DuePage = { rows: DueRow[]; next: Record<string, unknown> | undefined };

/** `atMs` is the circuit's time in its shard of the index. */
export type CircuitTime = { partnerId: string; atMs: number };

type PageRequest = { size: number; from?: DuePage['next']; lastFirst?: boolean };

const anyTime = Number.MAX_SAFE_INTEGER;

/** The rows that wait: for a time, in shards, or for the end of a circuit, by partner. */
export function dueIndex(table: Table) {
  const upTo = async (dueShard: string, nowMs: number, page: PageRequest): Promise<DuePage> => {
    const { Items, LastEvaluatedKey } = await queryPage(table, {
      IndexName: index,
      KeyConditionExpression: 'dueShard = :shard AND dueAt <= :now',
      ExpressionAttributeValues: { ':shard': dueShard, ':now': nowMs },
      ScanIndexForward: !page.lastFirst,
      Limit: page.size,
      ExclusiveStartKey: page.from,
    });
    return { rows: z.array(DueRow).parse(Items), next: LastEvaluatedKey };
  };

  const deferredOf = (partnerId: string, bucket: number, page: PageRequest): Promise<DuePage> =>
    upTo(deferredShardKey(partnerId, bucket), anyTime, page);

  return {
    /** Rows of a shard that are due, the longest due first. */
    upTo,

    /** What a partner's open circuit deferred, of one bucket, the longest deferred first. */
    deferredOf,

    oldestDeferredOf: async (partnerId: string): Promise<DueRow | undefined> => {
      const pages = await Promise.all(buckets.map((bucket) => deferredOf(partnerId, bucket, { size: 1 })));
      const [oldest] = pages.flatMap(({ rows }) => rows).sort((a, b) => a.dueAt - b.dueAt);
      return oldest;
    },

    /** Circuits of a shard, the latest first, with the time until which they are open or since which closed. */
    circuits: async (shard: typeof openShard | typeof closedShard): Promise<CircuitTime[]> => {
      const { rows } = await upTo(shard, anyTime, { size: maxCircuits, lastFirst: true });
      return rows.map((row) => ({ partnerId: endpointOwner(row), atMs: row.dueAt }));
    },

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

    /** Marks a row whose message is in the queue: it comes due again at `untilMs`. A changed row has moved on. */
    markQueued: async (
      { pk, sk, dueAt, version, messageId }: WaitingRow,
      { nowMs, untilMs }: { nowMs: number; untilMs: number },
    ): Promise<'marked' | 'changed'> => {
      const set = { dueAt: untilMs, dueShard: dueShardOf(messageId), queuedAt: nowMs };
      const change = changeIf({ version, dueAt, status: 'waiting' }, set, ['waitsForCircuit']);
      return (await updateIf(table, { Key: { pk, sk }, ...change })).applied ? 'marked' : 'changed';
    },
  };
}

export type DueIndex = ReturnType<typeof dueIndex>;
