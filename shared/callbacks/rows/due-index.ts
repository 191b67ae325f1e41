import * as z from 'zod/mini';
import { readAll } from '../../platform/table/batches.ts';
import {
  deferredShardKey,
  drainingShard,
  dueShardOf,
  failedShard,
  openShard,
} from '../../platform/table/row-keys/callbacks.ts';
import { buckets, idIn, type RowKey, rowId } from '../../platform/table/row-keys/row-key.ts';
import { type DuePage, type DueRow, queryDue, updateIf, updateIfStill } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { CallbackRef } from '../callback.ts';

/** A page of the index has 1 MB, which are more endpoints than that. */
const mostEndpoints = 5_000;
const mostToTell = 1_000;
const anyTime = Number.MAX_SAFE_INTEGER;

const keys = { pk: z.string(), sk: z.string() };
const WaitingRow = z.extend(CallbackRef, { ...keys, dueAt: z.number(), version: z.int() });
type WaitingRow = z.infer<typeof WaitingRow>;

/**
 * The rows that wait for a time, in shards by time, and those that are deferred, in shards by partner. The index is
 * sparse: only such rows have `dueShard` and `dueAt`.
 */
export function dueIndex(table: Table) {
  /** The rows of one bucket that are deferred, or were replayed, the longest deferred first. */
  const deferredOf = (endpointId: string, bucket: number, page: DuePage) =>
    queryDue(table, deferredShardKey(endpointId, bucket), anyTime, page);

  const latest = async (shard: string) =>
    (await queryDue(table, shard, anyTime, { size: mostEndpoints, lastFirst: true })).rows;

  return {
    deferredOf,

    /** Rows of a shard that are due, the longest due first. */
    upTo: (dueShard: string, nowMs: number, page: DuePage) => queryDue(table, dueShard, nowMs, page),

    oldestDeferredOf: async (endpointId: string): Promise<DueRow | undefined> => {
      const pages = await Promise.all(buckets.map((bucket) => deferredOf(endpointId, bucket, { size: 1 })));
      return pages.flatMap(({ rows }) => rows).sort((a, b) => a.dueAt - b.dueAt)[0];
    },

    /** The circuits that are open or half-open, with the end of their cooldown, the latest first. */
    openCircuits: async () =>
      (await latest(openShard)).map((row) => ({
        endpointId: idIn(row),
        cooldownUntil: row.dueAt,
      })),

    /** The endpoints with a drain, and since when it goes on, the latest first. */
    draining: async () =>
      (await latest(drainingShard)).map((row) => ({ endpointId: idIn(row), since: row.dueAt })),

    /** The partners that are to be told of failed callbacks by now, a thousand at most. */
    partnersToTell: async (nowMs: number): Promise<string[]> => {
      const { rows } = await queryDue(table, failedShard, nowMs, { size: mostToTell });
      return rows.map(idIn);
    },

    /** Reads the rows, and leaves out those that have changed since the index showed them, and those that are `unreadable`. */
    readUnchanged: async (entries: readonly DueRow[]) => {
      const dueAt = new Map(entries.map((row) => [rowId(row), row.dueAt]));
      const found = await readAll(
        table,
        entries.map(({ pk, sk }) => ({ pk, sk })),
      );
      const unreadable: string[] = [];
      const rows = found.flatMap((row) => {
        const { data } = WaitingRow.safeParse(row);
        if (!data) unreadable.push(rowId(row as RowKey));
        return data ?? [];
      });
      return { rows: rows.filter((row) => dueAt.get(rowId(row)) === row.dueAt), unreadable };
    },

    /** Marks a row whose message is in the queue, so that it is not due before `untilMs`. False if it has changed. */
    markQueued: async (
      { pk, sk, dueAt, version, messageId }: WaitingRow,
      { nowMs, untilMs }: { nowMs: number; untilMs: number },
    ): Promise<boolean> => {
      const dueShard = dueShardOf(messageId);
      const set = { dueAt: untilMs, dueShard, queuedAt: nowMs, waitsForCircuit: null };
      const change = updateIfStill({ version, dueAt, status: 'waiting' }, { set });
      return (await updateIf(table, { Key: { pk, sk }, ...change })).applied;
    },
  };
}

export type DueIndex = ReturnType<typeof dueIndex>;
