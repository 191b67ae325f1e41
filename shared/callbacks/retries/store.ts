import * as z from 'zod/mini';
import { days, epochSeconds } from '../../platform/runtime/clock.ts';
import { putIf, updateIf } from '../../platform/table/condition.ts';
import {
  bucketOf,
  callbackKey,
  callbacksOfMessagePrefix,
  callbacksPartition,
  deferredShardKey,
  dueShardOf,
  type Key,
  listedShardKey,
} from '../../platform/table/keys.ts';
import { queryPage, rowExists } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import type { Callback, CallbackRef } from '../callback.ts';
import { CallbackRow, type CallbackStatus, type Progress } from './row.ts';

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
    exists: (ref: CallbackRef): Promise<boolean> => rowExists(table, keyOf(ref)),

    /** The callbacks of a message that left a row: one for each state. */
    ofMessage: async (partnerId: string, messageId: string, nowMs: number): Promise<CallbackRow[]> => {
      const { Items } = await queryPage(table, {
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :message)',
        FilterExpression: 'expiresAt > :now',
        ExpressionAttributeValues: {
          ':pk': callbacksPartition(partnerId, bucketOf(messageId)),
          ':message': callbacksOfMessagePrefix(messageId),
          ':now': nowMs / 1_000,
        },
      });
      return z.array(CallbackRow).parse(Items);
    },

    /** Creates the row and returns its version; `undefined` when it exists: the callback came twice. */
    create: async (callback: Callback, progress: Progress, nowMs: number): Promise<number | undefined> => {
      const created = await putIf(table, {
        Item: {
          ...keyOf(callback),
          ...callback,
          ...progress,
          ...dueShardIf(callback, progress),
          ...listed(callback, progress.status, nowMs),
          version: 1,
          createdAt: nowMs,
          updatedAt: nowMs,
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
        ...progress,
        ...dueShardIf(row, progress),
        // A row that waits on keeps its entry in the index `listed` as it is, which saves the writes of another.
        ...(progress.status === 'waiting' ? {} : listed(row, progress.status, nowMs)),
        version: row.version + 1,
        updatedAt: nowMs,
      };
      const sets = Object.entries(set).filter(([, value]) => value !== undefined);
      const removed = ['claimedBy', 'dueAt', 'dueShard', 'waitsForCircuit'].filter((name) => !(name in set));
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

    /**
     * Makes a callback due again, with a new schedule; false when it is unknown, over, already waiting, or has another
     * status than `only`.
     */
    replay: async (ref: CallbackRef, nowMs: number, only?: CallbackStatus): Promise<boolean> => {
      const replayed = await updateIf(table, {
        Key: keyOf(ref),
        UpdateExpression:
          'SET #status = :status, listedShard = :listedShard, expiresAt = :expiresAt, dueAt = :now, ' +
          'dueShard = :dueShard, tries = :none, version = version + :one, updatedAt = :now REMOVE reason, claimedBy',
        ConditionExpression: `#status ${only ? '= :only' : '<> :status'} AND expiresAt > :nowSeconds`,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ...Object.fromEntries(
            Object.entries(listed(ref, 'waiting', nowMs)).map(([name, value]) => [`:${name}`, value]),
          ),
          ':now': nowMs,
          ':nowSeconds': nowMs / 1_000,
          ':dueShard': dueShardOf(ref.messageId),
          ':none': 0,
          ':one': 1,
          ...(only ? { ':only': only } : {}),
        },
      });
      return replayed.applied;
    },
  };
}

export type CallbackStore = ReturnType<typeof callbackStore>;

/** A status, its place in the index `listed`, and the end that comes with it: these change together. */
function listed({ partnerId, messageId }: CallbackRef, status: CallbackStatus, nowMs: number) {
  return {
    status,
    listedShard: listedShardKey(partnerId, bucketOf(messageId), status),
    expiresAt: epochSeconds(nowMs + keptMs),
  };
}

/** What found the circuit open waits apart, by partner. */
function dueShardIf({ partnerId, messageId }: CallbackRef, progress: Progress) {
  if (progress.status !== 'waiting') return {};
  const dueShard = progress.waitsForCircuit
    ? deferredShardKey(partnerId, bucketOf(messageId))
    : dueShardOf(messageId);
  return { dueShard };
}
