import * as z from 'zod/mini';
import { days, epochSeconds } from '../../platform/runtime/clock.ts';
import {
  callbackKey,
  callbacksOfMessagePrefix,
  callbacksPartition,
  deferredShardKey,
  dueShardOf,
  listedShardKey,
} from '../../platform/table/row-keys/callbacks.ts';
import { bucketOf, type RowKey } from '../../platform/table/row-keys/row-key.ts';
import {
  createRow,
  deleteIf,
  readPartition,
  rowExists,
  still,
  type Update,
  updateIf,
  updateIfStill,
} from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { Attempt, Callback, type CallbackRef } from '../callback.ts';

export const ReplayableStatus = z.enum(['delivered', 'failed', 'skipped']);
export type ReplayableStatus = z.infer<typeof ReplayableStatus>;
export const CallbackStatus = z.enum(['waiting', ...ReplayableStatus.options]);
export type CallbackStatus = z.infer<typeof CallbackStatus>;

/** A callback that its first attempt did not deliver. Every change is conditional on the current `version`. */
export const CallbackRow = z.extend(Callback, {
  status: CallbackStatus,
  version: z.int(),
  /** Attempts made in this run of the schedule; a replay starts a new run. */
  tries: z.int(),
  /** The newest attempts, oldest first, over all runs. */
  attempts: z.array(Attempt),
  reason: z.optional(z.string()),
  /** When the next attempt is due. Present while the callback waits. */
  dueAt: z.optional(z.number()),
  /** The callback is deferred, for whatever reason: it waits for a drain of its endpoint, and not for a time. */
  waitsForCircuit: z.optional(z.literal(true)),
  /** When a message for the row was sent to the queue. */
  queuedAt: z.optional(z.number()),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** When it was last replayed. From then on `expiresAt` does not change any more. */
  replayedAt: z.optional(z.number()),
  /** In epoch seconds. DynamoDB deletes the row some time later. */
  expiresAt: z.number(),
  claimedBy: z.optional(z.string()),
});
export type CallbackRow = z.infer<typeof CallbackRow>;

const attemptsKept = 20;
/** Only the newest attempts keep their response: the row is written after each attempt and must stay small. */
const responsesKept = 3;

export type History = Pick<CallbackRow, 'tries' | 'attempts'>;

export type Progress = History &
  (
    | { status: 'waiting'; dueAt: number; waitsForCircuit?: true }
    | { status: 'delivered' }
    | { status: 'failed' | 'skipped'; reason: string }
  );

export const noHistory: History = { tries: 0, attempts: [] };

export function withAttempt({ tries, attempts }: History, attempt: Attempt): History {
  const kept = [...attempts, attempt].slice(-attemptsKept);
  return {
    tries: tries + 1,
    attempts: kept.map(({ response, ...one }, n) =>
      response === undefined || n < kept.length - responsesKept ? one : { ...one, response },
    ),
  };
}

const keptMs = days(30);

function keyOf({ partnerId: endpointId, messageId, state }: CallbackRef): RowKey {
  return callbackKey(endpointId, messageId, state);
}

/**
 * The rows of callbacks that were not delivered at once. Every change is conditional on the row's version and
 * counts it up, so of any number of queue messages and workers for one callback exactly one may attempt it.
 */
export function callbackStore(table: Table) {
  const change = (ref: CallbackRef, seen: Record<string, unknown>, update: Update) =>
    updateIf(table, {
      Key: keyOf(ref),
      ...updateIfStill(seen, update),
      ReturnValues: 'ALL_NEW',
    });

  return {
    exists: (ref: CallbackRef): Promise<boolean> => rowExists(table, keyOf(ref)),

    /** The callbacks of a message that have a row: at most one for each state. */
    ofMessage: async (
      { partnerId: endpointId, messageId }: Omit<CallbackRef, 'state'>,
      nowMs: number,
      { consistent = true } = {},
    ): Promise<CallbackRow[]> => {
      const pk = callbacksPartition(endpointId, bucketOf(messageId));
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
      const claimed = await change(ref, { version, status: 'waiting' }, { set: claimedUntil });
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
      const advanced = await change(row, { version: row.version }, { set: next });
      return advanced.applied ? row.version + 1 : undefined;
    },

    /** Deletes a claimed row, unless the claim was lost meanwhile. */
    remove: async (row: CallbackRow): Promise<void> => {
      await deleteIf(table, { Key: keyOf(row), ...still({ version: row.version }) });
    },

    /**
     * Starts a new schedule of attempts. False when there is no such callback, or its status has changed. The row waits
     * in the shards of its endpoint, so that a long replay does not delay the retries of others.
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
      const { applied, row } = await change(ref, { status }, { set: replayed, add: { version: 1 } });
      // The SDK repeats a write whose response was lost: what waits since this moment was replayed by this call.
      return applied || (row?.['status'] === 'waiting' && row['replayedAt'] === nowMs);
    },
  };
}

/** A status and its place in the index `listed`, which change together. */
function listed({ partnerId: endpointId, messageId }: CallbackRef, status: CallbackStatus) {
  return { status, listedShard: listedShardKey(endpointId, bucketOf(messageId), status) };
}

/** A row is kept for 30 days after its last change of status, or the last one before it was replayed. */
function keptFrom(nowMs: number) {
  return { expiresAt: epochSeconds(nowMs + keptMs) };
}

/** A deferred row is in a shard of its endpoint, and not in the shards that go by time. */
function dueShardIf({ partnerId: endpointId, messageId }: CallbackRef, progress: Progress) {
  if (progress.status !== 'waiting') return {};
  const dueShard = progress.waitsForCircuit
    ? deferredShardKey(endpointId, bucketOf(messageId))
    : dueShardOf(messageId);
  return { dueShard };
}
