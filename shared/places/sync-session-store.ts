import * as z from 'zod/mini';
import { maxResponseBytes } from '../platform/http/response-size.ts';
import { days, epochSeconds } from '../platform/runtime/clock.ts';
import { gunzip, gzip } from '../platform/runtime/gzip.ts';
import { inGroupsWithin } from '../platform/runtime/in-groups.ts';
import { restoreNumbers } from '../platform/runtime/json-numbers.ts';
import { changeIf, changeOf, createRow, updateIf } from '../platform/table/condition.ts';
import { sessionKey, sessionsPartition, syncErrorsKey, syncErrorsPartition } from '../platform/table/keys.ts';
import { inPartition, queryRows, readPartition, readRow } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { writeAll } from '../platform/table/write-all.ts';
import type { AcceptedList } from './list-message.ts';
import { type ListOutcome, RejectedItem } from './list-plan.ts';
import { readSession, SyncCounts } from './sync-session.ts';

const keptMs = days(30);
/** A row takes 400 kB: this much JSON fits even if gzip does not make it smaller. */
const bytesInRow = 350_000;

type Ref = { offerId: string; sessionId: string };
type NewSession = Ref & Pick<AcceptedList, 'received' | 'dryRun' | 'acceptedAt'>;

const ErrorRow = z.object({ errors: z.instanceof(Uint8Array) });
const Recorded = z.object({ counts: SyncCounts });

/**
 * Sync sessions. A session begins, gets the record of what its list does, and ends. Each of these happens once, under a
 * condition, however often it is tried.
 */
export function syncSessionStore(table: Table) {
  return {
    /** Begins the session, unless it has begun already. */
    begin: async ({ offerId, sessionId, received, dryRun, acceptedAt }: NewSession): Promise<void> => {
      await createRow(table, {
        ...sessionKey(offerId, sessionId),
        received,
        dryRun,
        startedAt: acceptedAt,
        status: 'PROCESSING',
        keptUntil: acceptedAt + keptMs,
        expiresAt: epochSeconds(acceptedAt + keptMs),
      });
    },

    find: async ({ offerId, sessionId }: Ref, nowMs: number) => {
      const row = await readRow(table, sessionKey(offerId, sessionId));
      return row && readSession(row, nowMs);
    },

    /** Newest first. */
    newest: async (offerId: string, limit: number, nowMs: number) => {
      const newest = { ScanIndexForward: false, Limit: limit };
      const rows = await readPartition(table, sessionsPartition(offerId), newest);
      return rows.flatMap((row) => readSession(row, nowMs) ?? []);
    },

    /**
     * Records what the list does before it does it. A repeat, which may find it half done and would count less, gets
     * the counts of the first record.
     */
    record: async (
      { offerId, sessionId }: Ref,
      { counts, warnings, rejected }: ListOutcome,
      nowMs: number,
    ): Promise<SyncCounts> => {
      await writeAll(table, await errorRows({ offerId, sessionId }, rejected, nowMs));
      const recorded = await updateIf(table, {
        Key: sessionKey(offerId, sessionId),
        ...changeOf({ counts, warnings }),
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(counts)',
      });
      return recorded.applied ? counts : Recorded.parse(recorded.row).counts;
    },

    /** Returns whether this call ended the session. */
    end: async ({ offerId, sessionId }: Ref, status: 'FINISHED' | 'FAILED'): Promise<boolean> => {
      const change = changeIf({ status: 'PROCESSING' }, { status });
      return (await updateIf(table, { Key: sessionKey(offerId, sessionId), ...change })).applied;
    },

    /** Rejected items in the order of the partner's list: all, or the first, as many as fit into a response. */
    rejectedItems: async ({ offerId, sessionId }: Ref): Promise<RejectedItem[]> => {
      const rejected: RejectedItem[] = [];
      let bytes = 0;
      for await (const row of queryRows(table, inPartition(syncErrorsPartition(offerId, sessionId)))) {
        const text = await gunzip(ErrorRow.parse(row).errors);
        bytes += text.length;
        // Parsed elements can take many times their bytes: reading stops when a response could not contain more.
        if (bytes > maxResponseBytes && rejected.length > 0) break;
        const json = text.toString();
        rejected.push(...restoreNumbers(z.array(RejectedItem).parse(JSON.parse(json)), json));
      }
      return rejected;
    },
  };
}

function errorRows({ offerId, sessionId }: Ref, rejected: readonly RejectedItem[], nowMs: number) {
  const items = rejected.map((item) => JSON.stringify(item));
  const parts = inGroupsWithin({ bytes: bytesInRow }, items, (json) => Buffer.byteLength(json) + 1);
  return Promise.all(
    parts.map(async (group, part) => ({
      put: {
        ...syncErrorsKey(offerId, sessionId, part),
        errors: await gzip(`[${group.join(',')}]`),
        expiresAt: epochSeconds(nowMs + keptMs),
      },
    })),
  );
}
