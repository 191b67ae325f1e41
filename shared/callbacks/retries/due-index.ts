import * as z from 'zod/mini';
import { updateIf, updateIfStill } from '../../platform/table/condition.ts';
import { readAll } from '../../platform/table/read-all.ts';
import { deferredShardKey, dueShardOf, parseEndpointKey } from '../../platform/table/row-keys/callbacks.ts';
import { buckets } from '../../platform/table/row-keys/row-key.ts';
import { type DuePage, type DueRow, queryDue } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { CallbackRef } from '../callback.ts';

const maxCircuits = 1_000;

const WaitingRow = z.extend(CallbackRef, {
  pk: z.string(),
  sk: z.string(),
  dueAt: z.number(),
  version: z.int(),
});
type WaitingRow = z.infer<typeof WaitingRow>;

/** `atMs` is the circuit's time in its shard of the index. */
export type CircuitTime = { partnerId: string; atMs: number };

const anyTime = Number.MAX_SAFE_INTEGER;

/**
 * The rows that wait for a due time, in shards by time, or for a circuit to close, in shards by partner. The index is
 * sparse: only such rows have `dueShard` and `dueAt`.
 */
export function dueIndex(table: Table) {
  const deferredOf = (partnerId: string, bucket: number, page: DuePage) =>
    queryDue(table, deferredShardKey(partnerId, bucket), anyTime, page);

  return {
    /** Rows of a shard that are due, the longest due first. */
    upTo: (dueShard: string, nowMs: number, page: DuePage) => queryDue(table, dueShard, nowMs, page),

    /** The rows of one bucket that the partner's open circuit deferred, the longest deferred first. */
    deferredOf,

    oldestDeferredOf: async (partnerId: string): Promise<DueRow | undefined> => {
      const pages = await Promise.all(buckets.map((bucket) => deferredOf(partnerId, bucket, { size: 1 })));
      const [oldest] = pages.flatMap(({ rows }) => rows).sort((a, b) => a.dueAt - b.dueAt);
      return oldest;
    },

    /** The circuits of a shard, latest first, with the time when the cooldown ends or when the circuit closed. */
    circuits: async (shard: string): Promise<CircuitTime[]> => {
      const { rows } = await queryDue(table, shard, anyTime, { size: maxCircuits, lastFirst: true });
      return rows.map((row) => ({ partnerId: parseEndpointKey(row), atMs: row.dueAt }));
    },

    /** Reads the rows, and leaves out those that have changed since the index showed them. */
    readWaiting: async (rows: readonly DueRow[]): Promise<WaitingRow[]> => {
      const dueAt = new Map(rows.map((row) => [`${row.pk} ${row.sk}`, row.dueAt]));
      const keys = rows.map(({ pk, sk }) => ({ pk, sk }));
      const found = await readAll(table, keys);
      const waiting = found.flatMap((row) => WaitingRow.safeParse(row).data ?? []);
      return waiting.filter((row) => dueAt.get(`${row.pk} ${row.sk}`) === row.dueAt);
    },

    /** Marks a row whose message is in the queue, so that it is not due before `untilMs`. False if it has changed. */
    markQueued: async (
      { pk, sk, dueAt, version, messageId }: WaitingRow,
      { nowMs, untilMs }: { nowMs: number; untilMs: number },
    ): Promise<boolean> => {
      const queued = {
        dueAt: untilMs,
        dueShard: dueShardOf(messageId),
        queuedAt: nowMs,
        waitsForCircuit: null,
      };
      const change = updateIfStill({ version, dueAt, status: 'waiting' }, { set: queued });
      return (await updateIf(table, { Key: { pk, sk }, ...change })).applied;
    },
  };
}

export type DueIndex = ReturnType<typeof dueIndex>;
