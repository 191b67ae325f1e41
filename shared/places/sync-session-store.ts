import { GetCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { maxResponseBytes } from '../http/response-size.ts';
import { days, epochSeconds } from '../runtime/clock.ts';
import { gunzip, gzip } from '../runtime/gzip.ts';
import { restoreNumbers } from '../runtime/json-numbers.ts';
import { putIf, updateIf } from '../table/condition.ts';
import {
  sessionSortKey,
  slicePlanSort,
  syncErrorsPrefix,
  syncErrorsSort,
  syncPartition,
} from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type Write, writeAll } from '../table/write-all.ts';
import type { RejectedItem, SliceCounts, SliceResult } from './slice-plan.ts';
import type { SyncSession } from './sync-session.ts';

const keptMs = days(30);

/** A row takes 400 kB; this many bytes of errors before gzip fit even if they do not compress. */
const errorBytesPerRow = 350_000;

type Ref = { offerId: string; sessionId: string };
type NewSession = { received: number; slices: number; dryRun: boolean };

const count = z._default(z.int(), 0);
const Counts = z.object({ added: count, updated: count, unchanged: count, removed: count, rejected: count });
const SessionRow = z.extend(Counts, {
  received: z.int(),
  dryRun: z.boolean(),
  keptUntil: z.number(),
  pending: z._default(z.set(z.string()), new Set()),
});
const Finished = z.object({ startedAt: z.number(), pending: z.optional(z.unknown()) });
const Rejected = z.object({ index: z.int(), place: z.unknown(), description: z.string() });

/**
 * Sync sessions. A session is FINISHED when its set of pending slices is empty, and each slice leaves the set
 * once, under a condition: however often a slice is delivered, it counts once.
 */
export function syncSessionStore(table: Table) {
  return {
    begin: async (ref: Ref, session: NewSession, nowMs: number): Promise<void> => {
      await table.client.send(
        new PutCommand({
          TableName: table.name,
          Item: {
            pk: syncPartition(ref.offerId, ref.sessionId),
            sk: sessionSortKey,
            received: session.received,
            dryRun: session.dryRun,
            startedAt: nowMs,
            pending: new Set(Array.from({ length: session.slices }, (_, slice) => String(slice))),
            keptUntil: nowMs + keptMs,
            expiresAt: epochSeconds(nowMs + keptMs),
          },
        }),
      );
    },

    find: async (ref: Ref, nowMs: number): Promise<SyncSession | undefined> => {
      const { Item } = await table.client.send(
        new GetCommand({
          TableName: table.name,
          Key: { pk: syncPartition(ref.offerId, ref.sessionId), sk: sessionSortKey },
          ConsistentRead: true,
        }),
      );
      if (!Item) return undefined;
      const { pending, dryRun, keptUntil, ...counts } = SessionRow.parse(Item);
      if (keptUntil <= nowMs) return undefined;
      return {
        status: pending.size > 0 ? 'PROCESSING' : 'FINISHED',
        counts,
        dryRun,
        pending: new Set([...pending].map(Number)),
      };
    },

    /**
     * Records what a slice is about to do. A slice that is delivered again may find half of it done and would
     * count less: it gets the first record.
     */
    recordPlan: async (ref: Ref, slice: number, counts: SliceCounts, nowMs: number): Promise<SliceCounts> => {
      const recorded = await putIf(table, {
        Item: {
          pk: syncPartition(ref.offerId, ref.sessionId),
          sk: slicePlanSort(slice),
          ...counts,
          expiresAt: epochSeconds(nowMs + keptMs),
        },
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return recorded.applied ? counts : Counts.parse(recorded.existing);
    },

    /**
     * Removes the slice from `pending` and adds its counts, once. Returns the start of the session to the caller
     * that finished its last slice.
     */
    finishSlice: async (
      ref: Ref,
      slice: number,
      { counts, rejected }: SliceResult,
      nowMs: number,
    ): Promise<{ startedAt: number } | undefined> => {
      const pk = syncPartition(ref.offerId, ref.sessionId);
      await writeAll(table, await errorRows({ pk, slice, nowMs }, rejected));
      const finished = await updateIf(table, {
        Key: { pk, sk: sessionSortKey },
        UpdateExpression:
          'ADD added :added, updated :updated, unchanged :unchanged, removed :removed, rejected :rejected DELETE pending :slices',
        ConditionExpression: 'contains(pending, :slice)',
        ExpressionAttributeValues: {
          ':added': counts.added,
          ':updated': counts.updated,
          ':unchanged': counts.unchanged,
          ':removed': counts.removed,
          ':rejected': counts.rejected,
          ':slice': String(slice),
          ':slices': new Set([String(slice)]),
        },
        ReturnValues: 'ALL_NEW',
      });
      if (!finished.applied) return undefined;
      const { pending, startedAt } = Finished.parse(finished.result.Attributes);
      return pending ? undefined : { startedAt };
    },

    /**
     * Rejected items in the order of the partner's list: all, or those of the first slices, as many as fit into a
     * response.
     */
    rejectedItems: async (ref: Ref): Promise<RejectedItem[]> => {
      const rejected: RejectedItem[] = [];
      let bytes = 0;
      const pages = paginateQuery(
        { client: table.client },
        {
          TableName: table.name,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :errors)',
          ExpressionAttributeValues: {
            ':pk': syncPartition(ref.offerId, ref.sessionId),
            ':errors': syncErrorsPrefix,
          },
        },
      );
      for await (const { Items = [] } of pages) {
        for (const { errors } of z.array(z.object({ errors: z.instanceof(Uint8Array) })).parse(Items)) {
          const text = await gunzip(errors);
          bytes += text.length;
          // Parsed elements can take many times their bytes: reading stops when a response could not contain
          // more.
          if (bytes > maxResponseBytes && rejected.length > 0) return inListOrder(rejected);
          const json = text.toString();
          rejected.push(...restoreNumbers(z.array(Rejected).parse(JSON.parse(json)), json));
        }
      }
      return inListOrder(rejected);
    },
  };
}

function inListOrder(rejected: RejectedItem[]): RejectedItem[] {
  return rejected.sort((a, b) => a.index - b.index);
}

export type SyncSessionStore = ReturnType<typeof syncSessionStore>;

type ErrorsOf = { pk: string; slice: number; nowMs: number };

async function errorRows(
  { pk, slice, nowMs }: ErrorsOf,
  rejected: readonly RejectedItem[],
): Promise<Write[]> {
  const parts: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of rejected) {
    const json = JSON.stringify(item);
    const size = Buffer.byteLength(json);
    if (bytes + size > errorBytesPerRow) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(json);
    bytes += size + 1;
  }
  return Promise.all(
    parts.map(async (items, part) => ({
      put: {
        pk,
        sk: syncErrorsSort(slice, part),
        errors: await gzip(`[${items.join(',')}]`),
        expiresAt: epochSeconds(nowMs + keptMs),
      },
    })),
  );
}
