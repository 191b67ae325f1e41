import * as z from 'zod/mini';
import { maxResponseBytes } from '../http/response-size.ts';
import { days, epochSeconds } from '../runtime/clock.ts';
import { gunzip, gzip } from '../runtime/gzip.ts';
import { restoreNumbers } from '../runtime/json-numbers.ts';
import { type Conditional, updateIf } from '../table/condition.ts';
import { sessionKey, syncErrorsPrefix, syncErrorsSort, syncPartition } from '../table/keys.ts';
import { readAll } from '../table/read-all.ts';
import { putRow, queryRows, readRow } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import { type Write, writeAll } from '../table/write-all.ts';
import { packRows } from './pack-rows.ts';
import { defaultRemovalPercent, type HeldBecause } from './removal-guard.ts';
import { readSession } from './session-row.ts';
import { RejectedItem, type SliceResult } from './slice-plan.ts';
import { removalsStep, type SyncSession } from './sync-session.ts';

export const sessionKeptMs = days(30);

type Ref = { offerId: string; sessionId: string };
type NewSession = {
  received: number;
  slices: number;
  dryRun: boolean;
  confirmRemovals?: boolean;
  removalPercent?: number | undefined;
};

const Finished = z.object({ startedAt: z.number(), pending: z.optional(z.unknown()) });
const ErrorRow = z.object({ errors: z.instanceof(Uint8Array) });

/**
 * Sync sessions. A session is FINISHED when its set of pending steps is empty: its slices, and then its removals.
 * Each leaves the set once, under a condition: however often a slice is delivered, it counts once.
 */
export function syncSessionStore(table: Table) {
  return {
    begin: async ({ offerId, sessionId }: Ref, session: NewSession, nowMs: number): Promise<void> => {
      await putRow(table, {
        ...sessionKey(offerId, sessionId),
        received: session.received,
        dryRun: session.dryRun,
        startedAt: nowMs,
        confirmed: session.confirmRemovals ?? false,
        removalPercent: session.removalPercent ?? defaultRemovalPercent,
        pending: new Set([
          ...Array.from({ length: session.slices }, (_, slice) => String(slice)),
          removalsStep,
        ]),
        keptUntil: nowMs + sessionKeptMs,
        expiresAt: epochSeconds(nowMs + sessionKeptMs),
      });
    },

    find: async ({ offerId, sessionId }: Ref, nowMs: number): Promise<SyncSession | undefined> => {
      const row = await readRow(table, sessionKey(offerId, sessionId));
      return row && readSession(row, nowMs);
    },

    /** Those of the sessions whose time is not over, in the order of `sessionIds`, which must be distinct. */
    findAll: async (
      offerId: string,
      sessionIds: readonly string[],
      nowMs: number,
    ): Promise<(SyncSession & { sessionId: string })[]> => {
      const keys = sessionIds.map((sessionId) => sessionKey(offerId, sessionId));
      const rows = await readAll(table, keys, { consistent: true });
      const byKey = new Map(rows.map((row) => [row['pk'], row]));
      return sessionIds.flatMap((sessionId) => {
        const row = byKey.get(syncPartition(offerId, sessionId));
        const session = row && readSession(row, nowMs);
        return session ? [{ sessionId, ...session }] : [];
      });
    },

    /**
     * Removes the slice from `pending` and adds its counts, once; with `failed`, its points must stay. Returns the
     * start of the session to the caller that finished its last step.
     */
    finishSlice: async (
      { offerId, sessionId }: Ref,
      slice: number,
      { counts, rejected, failed }: SliceResult & { failed?: boolean },
      nowMs: number,
    ): Promise<{ startedAt: number } | undefined> => {
      const key = sessionKey(offerId, sessionId);
      await writeAll(table, await errorRows({ pk: key.pk, slice, nowMs }, rejected));
      const finished = await updateIf(table, {
        Key: key,
        UpdateExpression: `ADD added :added, updated :updated, unchanged :unchanged, rejected :rejected, storedBefore :stored, toRemove :toRemove${failed ? ', failedSlices :slices' : ''} DELETE pending :slices`,
        ConditionExpression: 'contains(pending, :slice)',
        ExpressionAttributeValues: {
          ':added': counts.added,
          ':updated': counts.updated,
          ':unchanged': counts.unchanged,
          ':rejected': counts.rejected,
          ':stored': counts.stored,
          ':toRemove': counts.toRemove,
          ':slice': String(slice),
          ':slices': new Set([String(slice)]),
        },
        ReturnValues: 'ALL_NEW',
      });
      return finishedBy(finished);
    },

    /** Ends the last step, once. Returns the start of the session to the caller that finished its last step. */
    endRemovals: async (
      { offerId, sessionId }: Ref,
      { because, removed }: { because: 'remove' | HeldBecause; removed: number },
    ): Promise<{ startedAt: number } | undefined> => {
      const ended = await updateIf(table, {
        Key: sessionKey(offerId, sessionId),
        UpdateExpression: 'SET decision = :because, removed = :removed DELETE pending :steps',
        ConditionExpression: 'contains(pending, :step)',
        ExpressionAttributeValues: {
          ':because': because,
          ':removed': removed,
          ':step': removalsStep,
          ':steps': new Set([removalsStep]),
        },
        ReturnValues: 'ALL_NEW',
      });
      return finishedBy(ended);
    },

    /**
     * Rejected items in the order of the partner's list: all, or those of the first slices, as many as fit into a
     * response.
     */
    rejectedItems: async ({ offerId, sessionId }: Ref): Promise<RejectedItem[]> => {
      const rejected: RejectedItem[] = [];
      let bytes = 0;
      const rows = queryRows(table, {
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :errors)',
        ExpressionAttributeValues: { ':pk': syncPartition(offerId, sessionId), ':errors': syncErrorsPrefix },
      });
      for await (const row of rows) {
        const text = await gunzip(ErrorRow.parse(row).errors);
        bytes += text.length;
        // Parsed elements can take many times their bytes: reading stops when a response could not contain more.
        if (bytes > maxResponseBytes && rejected.length > 0) break;
        const json = text.toString();
        rejected.push(...restoreNumbers(z.array(RejectedItem).parse(JSON.parse(json)), json));
      }
      return rejected.sort((a, b) => a.index - b.index);
    },
  };
}

export type SyncSessionStore = ReturnType<typeof syncSessionStore>;

/** The start of the session, for the caller whose write finished the session's last step. */
function finishedBy(write: Conditional): { startedAt: number } | undefined {
  if (!write.applied) return undefined;
  const { pending, startedAt } = Finished.parse(write.result.Attributes);
  return pending ? undefined : { startedAt };
}

type ErrorsOf = { pk: string; slice: number; nowMs: number };

async function errorRows(
  { pk, slice, nowMs }: ErrorsOf,
  rejected: readonly RejectedItem[],
): Promise<Write[]> {
  const parts = packRows(rejected.map((item) => JSON.stringify(item)));
  return Promise.all(
    parts.map(async (json, part) => ({
      put: {
        pk,
        sk: syncErrorsSort(slice, part),
        errors: await gzip(json),
        expiresAt: epochSeconds(nowMs + sessionKeptMs),
      },
    })),
  );
}
