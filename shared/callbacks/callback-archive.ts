import * as z from 'zod/mini';
import { days, epochSeconds } from '../runtime/clock.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { updateIf } from '../table/condition.ts';
import {
  bucketOf,
  buckets,
  callbackKey,
  callbacksOfMessagePrefix,
  callbacksPartition,
} from '../table/keys.ts';
import { queryPage } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import type { CallbackRef } from './callback.ts';
import { CallbackRow, type CallbackStatus } from './callback-row.ts';
import { dueShardOf } from './due-shard.ts';

const keptMs = days(30);
/** For each bucket. */
const rowsPerPage = 100;
const writesAtOnce = 10;

/** Callbacks that can be replayed; one that is waiting will be attempted anyway. */
type Finished = Exclude<CallbackStatus, 'waiting'>;

/** Which of a partner's callbacks: of these statuses, about changes from `fromMs` (included) to `toMs` (excluded). */
export type Selection = {
  statuses: readonly CallbackStatus[];
  fromMs?: number | undefined;
  toMs?: number | undefined;
};

type Page = { callbacks: CallbackRow[]; cursor?: string };
type Counts = { waiting: number; skipped: number; countsAreMinimum?: true };
type Bucket = { partnerId: string; bucket: number };

/**
 * The callbacks that were not delivered at once, for operators to list and replay. A callback delivered at its
 * first attempt left no row and cannot be replayed.
 */
export function callbackArchive(table: Table) {
  return {
    /**
     * A page of a partner's callbacks in the order of their message ids (it may be short, or empty before the last
     * one), and the cursor of the next page. Each bucket is read for itself; the page ends at the smallest of
     * their last ids, and what other buckets returned beyond it is read again.
     */
    select: async (partnerId: string, selection: Selection, cursor?: string): Promise<Page> => {
      const pages = await Promise.all(
        buckets.map((bucket) => selectIn(table, { partnerId, bucket }, selection, cursor)),
      );
      const [end] = pages.flatMap((page) => page.cursor ?? []).sort(byteOrder);
      const callbacks = pages
        .flatMap((page) => page.callbacks)
        .filter((row) => end === undefined || byteOrder(sortOf(row), end) <= 0)
        .sort((a, b) => byteOrder(sortOf(a), sortOf(b)));
      return end === undefined ? { callbacks } : { callbacks, cursor: end };
    },

    /**
     * How many callbacks wait and how many are skipped, as far as one page of each bucket tells: some ten thousand.
     */
    count: async (partnerId: string): Promise<Counts> => {
      const pages = await Promise.all(buckets.map((bucket) => countIn(table, { partnerId, bucket })));
      const all = (name: 'waiting' | 'skipped') => pages.reduce((sum, page) => sum + page[name], 0);
      const isMinimum = pages.some((page) => page.more);
      return {
        waiting: all('waiting'),
        skipped: all('skipped'),
        ...(isMinimum ? { countsAreMinimum: true } : {}),
      };
    },

    /** The one or two callbacks of a message that left a row. */
    ofMessage: async (partnerId: string, messageId: string): Promise<CallbackRow[]> => {
      const { Items } = await queryPage(table, {
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :message)',
        ExpressionAttributeValues: {
          ':pk': callbacksPartition(partnerId, bucketOf(messageId)),
          ':message': callbacksOfMessagePrefix(messageId),
        },
      });
      return z.array(CallbackRow).parse(Items);
    },

    /** Makes one callback due again, with a new schedule; false when it is unknown or already waiting. */
    replay: (ref: CallbackRef, nowMs: number): Promise<boolean> => replay(table, ref, nowMs),

    /**
     * Makes every selected callback due again, bucket by bucket, and returns how many; `report` is called with the
     * number so far. Safe to repeat after a failure.
     */
    replayAll: async (partnerId: string, selection: ReplaySelection, nowMs: number): Promise<number> =>
      (await replayUpTo(table, partnerId, selection, { nowMs, most: Number.POSITIVE_INFINITY })).replayed,

    /** The same for `most` callbacks, and whether there are more. */
    replaySome: (
      partnerId: string,
      selection: ReplaySelection,
      limit: { nowMs: number; most: number },
    ): Promise<Replayed> => replayUpTo(table, partnerId, selection, limit),
  };
}

type ReplaySelection = Selection & {
  statuses: readonly Finished[];
  report?: (replayed: number) => void;
};
type Replayed = { replayed: number; more: boolean };

async function replayUpTo(
  table: Table,
  partnerId: string,
  selection: ReplaySelection,
  { nowMs, most }: { nowMs: number; most: number },
): Promise<Replayed> {
  let replayed = 0;
  for (const bucket of buckets) {
    let cursor: string | undefined;
    do {
      const page: Page = await selectIn(table, { partnerId, bucket }, selection, cursor);
      const rows = page.callbacks.slice(0, most - replayed);
      await inParallel(writesAtOnce, rows, async (row) => {
        if (await replay(table, row, nowMs)) replayed += 1;
      });
      if (rows.length < page.callbacks.length) return { replayed, more: true };
      if (page.callbacks.length > 0) selection.report?.(replayed);
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
  return { replayed, more: false };
}

export type CallbackArchive = ReturnType<typeof callbackArchive>;

/** A page is 1 MB of rows; only their statuses are sent. */
async function countIn(
  table: Table,
  { partnerId, bucket }: Bucket,
): Promise<{ waiting: number; skipped: number; more: boolean }> {
  const { Items = [], LastEvaluatedKey } = await queryPage(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': callbacksPartition(partnerId, bucket) },
    ProjectionExpression: '#status',
    ExpressionAttributeNames: { '#status': 'status' },
  });
  const having = (status: CallbackStatus) => Items.filter((row) => row['status'] === status).length;
  return { waiting: having('waiting'), skipped: having('skipped'), more: LastEvaluatedKey !== undefined };
}

function sortOf({ partnerId, messageId, state }: CallbackRef): string {
  return callbackKey(partnerId, messageId, state).sk;
}

/** The order of the table. */
function byteOrder(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function selectIn(
  table: Table,
  { partnerId, bucket }: Bucket,
  selection: Selection,
  cursor?: string,
): Promise<Page> {
  const { statuses, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = selection;
  const names = statuses.map((_, n) => `:status${n}`);
  const { Items, LastEvaluatedKey } = await queryPage(table, {
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND sk > :cursor',
    FilterExpression: `#status IN (${names.join(', ')}) AND changedAt >= :from AND changedAt < :to`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':pk': callbacksPartition(partnerId, bucket),
      // No message id begins with a space.
      ':cursor': cursor ?? ' ',
      ':from': fromMs,
      ':to': toMs,
      ...Object.fromEntries(statuses.map((status, n) => [`:status${n}`, status])),
    },
    Limit: rowsPerPage,
  });
  const callbacks = z.array(CallbackRow).parse(Items);
  return LastEvaluatedKey ? { callbacks, cursor: String(LastEvaluatedKey['sk']) } : { callbacks };
}

async function replay(table: Table, ref: CallbackRef, nowMs: number): Promise<boolean> {
  const replayed = await updateIf(table, {
    Key: callbackKey(ref.partnerId, ref.messageId, ref.state),
    UpdateExpression:
      'SET #status = :waiting, dueAt = :now, dueShard = :dueShard, tries = :none, ' +
      'version = version + :one, updatedAt = :now, expiresAt = :expiresAt REMOVE reason, claimedBy',
    ConditionExpression: '#status IN (:delivered, :failed, :skipped)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':waiting': 'waiting',
      ':delivered': 'delivered',
      ':failed': 'failed',
      ':skipped': 'skipped',
      ':now': nowMs,
      ':dueShard': dueShardOf(ref.messageId),
      ':none': 0,
      ':one': 1,
      ':expiresAt': epochSeconds(nowMs + keptMs),
    },
  });
  return replayed.applied;
}
