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
import { CallbackRow, type CallbackStatus, changeIf, type Progress } from './row.ts';

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

    /** Claims a row that waits at that version, for one attempt. It comes due again if the worker dies. */
    claim: async (
      ref: CallbackRef,
      version: number,
      claim: { by: string; nowMs: number; leaseMs: number },
    ): Promise<CallbackRow | undefined> => {
      const set = {
        version: version + 1,
        dueAt: claim.nowMs + claim.leaseMs,
        dueShard: dueShardOf(ref.messageId),
        claimedBy: claim.by,
      };
      const claimed = await updateIf(table, {
        Key: keyOf(ref),
        ...changeIf({ version, status: 'waiting' }, set, ['queuedAt', 'waitsForCircuit']),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      if (claimed.applied) return CallbackRow.parse(claimed.result.Attributes);
      // The SDK repeats a write whose response was lost: a claim that finds its own mark has succeeded.
      if (claimed.existing?.['claimedBy'] !== claim.by) return undefined;
      return CallbackRow.parse(claimed.existing);
    },

    /** Writes the outcome of a claimed row and returns its version; `undefined` when the claim was lost meanwhile. */
    advance: async (row: CallbackRow, progress: Progress, nowMs: number): Promise<number | undefined> => {
      const set = {
        ...progress,
        ...dueShardIf(row, progress),
        // A row that waits on keeps its entry in the index `listed` as it is, which saves the writes of another.
        ...(progress.status === 'waiting' ? {} : listed(row, progress.status, nowMs)),
        version: row.version + 1,
        updatedAt: nowMs,
      };
      const removed = ['claimedBy', 'dueAt', 'dueShard', 'waitsForCircuit'].filter((name) => !(name in set));
      const change = changeIf({ version: row.version }, set, removed);
      const advanced = await updateIf(table, { Key: keyOf(row), ...change });
      return advanced.applied ? row.version + 1 : undefined;
    },

    /** Starts a new schedule; false when the callback is unknown, over, waiting, or not of status `only`. */
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
