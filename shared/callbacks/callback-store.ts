import { days, epochSeconds } from '../runtime/clock.ts';
import { putIf, updateIf } from '../table/condition.ts';
import { callbackKey, type Key } from '../table/keys.ts';
import { rowExists } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import type { Callback, CallbackRef } from './callback.ts';
import { CallbackRow, type Progress } from './callback-row.ts';
import { deferredShardOf, dueShardOf } from './due-shard.ts';

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
          ...(progress.status === 'waiting' ? { dueShard: shardOf(callback, progress) } : {}),
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
        UpdateExpression:
          'SET version = version + :one, dueAt = :leaseEnd, dueShard = :dueShard, claimedBy = :by REMOVE queuedAt, waitsForCircuit',
        ConditionExpression: 'version = :version AND #status = :waiting',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':one': 1,
          ':version': version,
          ':waiting': 'waiting',
          ':leaseEnd': claim.nowMs + claim.leaseMs,
          ':dueShard': dueShardOf(ref.messageId),
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
      const set = {
        status: progress.status,
        version: row.version + 1,
        tries: progress.tries,
        attempts: progress.attempts,
        updatedAt: nowMs,
        expiresAt: epochSeconds(nowMs + keptMs),
        ...(progress.status === 'waiting'
          ? {
              dueAt: progress.dueAt,
              dueShard: shardOf(row, progress),
              waitsForCircuit: progress.waitsForCircuit,
            }
          : {}),
        ...('reason' in progress ? { reason: progress.reason } : {}),
      };
      const sets = Object.entries(set).filter(([, value]) => value !== undefined);
      const removed = ['claimedBy', 'dueAt', 'dueShard', 'waitsForCircuit'].filter(
        (name) => !sets.some(([one]) => one === name),
      );
      const advanced = await updateIf(table, {
        Key: keyOf(row),
        UpdateExpression: `SET ${sets.map(([name]) => `#${name} = :${name}`).join(', ')} REMOVE ${removed.join(', ')}`,
        ConditionExpression: '#version = :seen',
        ExpressionAttributeNames: Object.fromEntries(sets.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ':seen': row.version,
          ...Object.fromEntries(sets.map(([name, value]) => [`:${name}`, value])),
        },
      });
      return advanced.applied ? row.version + 1 : undefined;
    },
  };
}

export type CallbackStore = ReturnType<typeof callbackStore>;

type Waiting = Extract<Progress, { status: 'waiting' }>;

function shardOf(ref: CallbackRef, { waitsForCircuit }: Waiting): string {
  return waitsForCircuit ? deferredShardOf(ref) : dueShardOf(ref.messageId);
}
