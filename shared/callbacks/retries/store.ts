import * as z from 'zod/mini';
import { days, epochSeconds } from '../../platform/runtime/clock.ts';
import { createRow, updateIf, updateIfStill } from '../../platform/table/condition.ts';
import {
  callbackKey,
  callbacksOfMessagePrefix,
  callbacksPartition,
  deferredShardKey,
  dueShardOf,
  listedShardKey,
} from '../../platform/table/row-keys/callbacks.ts';
import { bucketOf, type RowKey } from '../../platform/table/row-keys/row-key.ts';
import { readPartition, rowExists } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import type { Callback, CallbackRef } from '../callback.ts';
import { CallbackRow, type CallbackStatus, type Progress, type ReplayableStatus } from './row.ts';

const keptMs = days(30);

function keyOf({ partnerId, messageId, state }: CallbackRef): RowKey {
  return callbackKey(partnerId, messageId, state);
}

/**
 * The rows of callbacks that were not delivered at once. Every change is conditional on the row's version and
 * counts it up, so of any number of queue messages and workers for one callback exactly one may attempt it.
 */
export function callbackStore(table: Table) {
  return {
    exists: (ref: CallbackRef): Promise<boolean> => rowExists(table, keyOf(ref)),

    /** The callbacks of a message that have a row: at most one for each state. */
    ofMessage: async (
      { partnerId, messageId }: Omit<CallbackRef, 'state'>,
      nowMs: number,
      { consistent = true } = {},
    ): Promise<CallbackRow[]> => {
      const pk = callbacksPartition(partnerId, bucketOf(messageId));
      const rows = await readPartition(table, pk, {
        ConsistentRead: consistent,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :message)',
        FilterExpression: 'expiresAt > :now',
        ExpressionAttributeValues: {
          ':pk': pk,
          ':message': callbacksOfMessagePrefix(messageId),
          ':now': nowMs / 1_000,
        },
      });
      return z.array(CallbackRow).parse(rows);
    },

    /** Creates the row and returns its version; `undefined` when it exists, because the callback came twice. */
    create: async (callback: Callback, progress: Progress, nowMs: number): Promise<number | undefined> => {
      const existing = await createRow(table, {
        ...keyOf(callback),
        ...callback,
        ...progress,
        ...dueShardIf(callback, progress),
        ...listed(callback, progress.status),
        ...keptFrom(nowMs),
        version: 1,
        createdAt: nowMs,
        updatedAt: nowMs,
      });
      return existing ? undefined : 1;
    },

    /** Claims a row that waits at this version for one attempt. If the worker dies, the row comes due again. */
    claim: async (
      ref: CallbackRef,
      version: number,
      claim: { by: string; nowMs: number; forMs: number },
    ): Promise<CallbackRow | undefined> => {
      const claimedUntil = {
        version: version + 1,
        dueAt: claim.nowMs + claim.forMs,
        dueShard: dueShardOf(ref.messageId),
        claimedBy: claim.by,
        queuedAt: null,
        waitsForCircuit: null,
      };
      const claimed = await updateIf(table, {
        Key: keyOf(ref),
        ...updateIfStill({ version, status: 'waiting' }, { set: claimedUntil }),
        ReturnValues: 'ALL_NEW',
      });
      // The SDK repeats a write whose response was lost: a claim that finds its own mark has succeeded too.
      return claimed.row?.['claimedBy'] === claim.by ? CallbackRow.parse(claimed.row) : undefined;
    },

    /** Writes the outcome of a claimed row and returns its version; `undefined` when the claim was lost meanwhile. */
    advance: async (row: CallbackRow, progress: Progress, nowMs: number): Promise<number | undefined> => {
      const next = {
        ...{ claimedBy: null, dueAt: null, dueShard: null, waitsForCircuit: null },
        ...progress,
        ...dueShardIf(row, progress),
        // A row that keeps waiting keeps its entry in the index `listed` unchanged, which saves index writes.
        ...(progress.status === 'waiting' ? {} : listed(row, progress.status)),
        ...(progress.status === 'waiting' || row.replayedAt !== undefined ? {} : keptFrom(nowMs)),
        version: row.version + 1,
        updatedAt: nowMs,
      };
      const change = updateIfStill({ version: row.version }, { set: next });
      const advanced = await updateIf(table, { Key: keyOf(row), ...change });
      return advanced.applied ? row.version + 1 : undefined;
    },

    /**
     * Starts a new schedule of attempts. False when there is no such callback, or its status has changed. The row waits
     * in the shards of its partner, so that a long replay does not delay the retries of others.
     */
    replay: async (ref: CallbackRef, status: ReplayableStatus, nowMs: number): Promise<boolean> => {
      const replayed = {
        ...listed(ref, 'waiting'),
        dueAt: nowMs,
        dueShard: deferredShardKey(ref.partnerId, bucketOf(ref.messageId)),
        waitsForCircuit: true,
        tries: 0,
        updatedAt: nowMs,
        replayedAt: nowMs,
        reason: null,
        claimedBy: null,
      };
      const change = updateIfStill({ status }, { set: replayed, add: { version: 1 } });
      return (await updateIf(table, { Key: keyOf(ref), ...change })).applied;
    },
  };
}

/** A status and its place in the index `listed`, which change together. */
function listed({ partnerId, messageId }: CallbackRef, status: CallbackStatus) {
  return { status, listedShard: listedShardKey(partnerId, bucketOf(messageId), status) };
}

/** A row is kept for 30 days after its last change of status, or the last one before it was replayed. */
function keptFrom(nowMs: number) {
  return { expiresAt: epochSeconds(nowMs + keptMs) };
}

/** A row that was deferred by an open circuit is in a shard of its partner, and not in the shards that go by time. */
function dueShardIf({ partnerId, messageId }: CallbackRef, progress: Progress) {
  if (progress.status !== 'waiting') return {};
  const dueShard = progress.waitsForCircuit
    ? deferredShardKey(partnerId, bucketOf(messageId))
    : dueShardOf(messageId);
  return { dueShard };
}
