import { days, epochSeconds } from '../runtime/clock.ts';
import { putIf, updateIf } from '../table/condition.ts';
import { callbackKey, drainKey, type Key } from '../table/keys.ts';
import { deleteRow, putRow, rowExists } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import type { Callback, CallbackRef } from './callback.ts';
import { CallbackRow, type Progress } from './callback-row.ts';
import { drainShardOf, dueShardOf } from './due-shard.ts';

const keptMs = days(30);

function keyOf({ partnerId, messageId, state }: CallbackRef): Key {
  return callbackKey(partnerId, messageId, state);
}

/**
 * The rows of callbacks that were not delivered at once. Every change is conditional on the row's version and
 * counts it up, so of any number of queue messages and workers for one callback exactly one may attempt it.
 */
export function callbackStore(table: Table) {
  return {
    exists: async (ref: CallbackRef): Promise<boolean> => {
      return rowExists(table, keyOf(ref));
    },

    /** Creates the row and returns its version; `undefined` when it exists: the callback came twice. */
    create: async (callback: Callback, progress: Progress, nowMs: number): Promise<number | undefined> => {
      const created = await putIf(table, {
        Item: {
          ...keyOf(callback),
          ...callback,
          ...progress,
          ...(progress.status === 'waiting' ? { dueShard: dueShardOf(callback.messageId) } : {}),
          version: 1,
          createdAt: nowMs,
          updatedAt: nowMs,
          expiresAt: epochSeconds(nowMs + keptMs),
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      return created.applied ? 1 : undefined;
    },

    /**
     * Claims the row for one attempt, if it is still waiting at that version. It comes due again when the lease
     * ends: if the worker dies, the callback is late but not lost.
     */
    claim: async (
      ref: CallbackRef,
      version: number,
      claim: { by: string; nowMs: number; leaseMs: number },
    ): Promise<CallbackRow | undefined> => {
      const claimed = await updateIf(table, {
        Key: keyOf(ref),
        UpdateExpression: 'SET version = version + :one, dueAt = :leaseEnd, claimedBy = :by',
        ConditionExpression: 'version = :version AND #status = :waiting',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':one': 1,
          ':version': version,
          ':waiting': 'waiting',
          ':leaseEnd': claim.nowMs + claim.leaseMs,
          ':by': claim.by,
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      if (claimed.applied) return CallbackRow.parse(claimed.result.Attributes);
      // The SDK repeats a write whose response was lost: a claim that finds its own mark has succeeded.
      if (claimed.existing?.['claimedBy'] !== claim.by) return undefined;
      return CallbackRow.parse(claimed.existing);
    },

    /**
     * Writes the outcome of a claimed row and returns its new version; `undefined` when the claim was lost
     * meanwhile.
     */
    advance: async (row: CallbackRow, progress: Progress, nowMs: number): Promise<number | undefined> => {
      const waiting = progress.status === 'waiting';
      const reason = 'reason' in progress ? progress.reason : undefined;
      const sets = [
        '#status = :status, version = version + :one, tries = :tries, deferrals = :deferrals, attempts = :attempts',
        'updatedAt = :now, expiresAt = :expiresAt',
        ...(waiting ? ['dueAt = :dueAt, dueShard = :dueShard'] : []),
        ...(reason === undefined ? [] : ['reason = :reason']),
      ].join(', ');
      const removes = ['claimedBy', ...(waiting ? [] : ['dueAt', 'dueShard'])];
      const advanced = await updateIf(table, {
        Key: keyOf(row),
        UpdateExpression: `SET ${sets} REMOVE ${removes.join(', ')}`,
        ConditionExpression: 'version = :version',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':one': 1,
          ':version': row.version,
          ':status': progress.status,
          ':tries': progress.tries,
          ':deferrals': progress.deferrals,
          ':attempts': progress.attempts,
          ':now': nowMs,
          ':expiresAt': epochSeconds(nowMs + keptMs),
          ...(progress.status === 'waiting'
            ? { ':dueAt': progress.dueAt, ':dueShard': dueShardOf(row.messageId) }
            : {}),
          ...(reason === undefined ? {} : { ':reason': reason }),
        },
      });
      return advanced.applied ? row.version + 1 : undefined;
    },

    /** Requests that `resume` brings the partner's whole backlog forward, from `dueAt` on. */
    startDrain: async (partnerId: string, dueAt: number): Promise<void> => {
      await putRow(table, {
        ...drainKey(partnerId),
        partnerId,
        dueShard: drainShardOf(partnerId),
        dueAt,
        expiresAt: epochSeconds(dueAt + keptMs),
      });
    },

    stopDrain: async (partnerId: string): Promise<void> => {
      await deleteRow(table, drainKey(partnerId));
    },
  };
}

export type CallbackStore = ReturnType<typeof callbackStore>;
