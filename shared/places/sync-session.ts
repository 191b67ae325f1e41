import * as z from 'zod/mini';
import type { NewEvent } from '../events/event.ts';
import { eventWrite } from '../events/event-store.ts';
import { fitInResponse } from '../platform/http/response-size.ts';
import { days, epochSeconds } from '../platform/runtime/clock.ts';
import { gunzip, gzip } from '../platform/runtime/gzip.ts';
import { inGroupsWithin } from '../platform/runtime/in-groups.ts';
import { readUnchanging, writeAll } from '../platform/table/batches.ts';
import {
  sessionKey,
  sessionsPartition,
  syncChangesKey,
  syncErrorsKey,
} from '../platform/table/row-keys/places.ts';
import {
  createRow,
  readPartition,
  readRow,
  updateExpression,
  updateIf,
  updateIfStill,
} from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { changeRow, transactional } from '../platform/table/transactional.ts';
import type { ListChanges } from './list-changes.ts';
import type { AcceptedList, SessionRef } from './list-message.ts';
import { type ListOutcome, RejectedElement, SyncCounts } from './list-plan.ts';
import { packRemarks, unpackRemarks } from './remarks/packed-remarks.ts';

export const SyncStatus = z.enum(['PROCESSING', 'FINISHED']).register(z.globalRegistry, { id: 'SyncStatus' });

const SessionRow = z.object({
  sk: z.string(),
  received: z.int(),
  dryRun: z.boolean(),
  startedAt: z.number(),
  keptUntil: z.number(),
  status: z.enum(['PROCESSING', 'FINISHED', 'FAILED']),
  counts: z.optional(SyncCounts),
  warnings: z._default(z.array(z.string()), []),
  packedRemarks: z.optional(z.instanceof(Uint8Array)),
  /** Of the rejected elements those that are stored, because they fit into a response: how many, and in how many rows. */
  shown: z._default(z.object({ count: z.int(), rows: z.int() }), { count: 0, rows: 0 }),
  /** The points that change are in a row of their own. */
  hasChanges: z._default(z.boolean(), false),
});

/** The queue keeps no list longer than this: a session that still waits for its list has lost it. */
const longestWaitMs = days(4);

/** A session from its row; `undefined` when its time is over. */
function readSession(item: Record<string, unknown>, nowMs: number) {
  const row = SessionRow.parse(item);
  if (row.keptUntil <= nowMs) return undefined;
  const { sk: sessionId, received, startedAt, dryRun, shown, hasChanges } = row;
  const isLost = row.status === 'PROCESSING' && startedAt <= nowMs - longestWaitMs;
  const status: z.infer<typeof SyncStatus> =
    row.status === 'PROCESSING' && !isLost ? 'PROCESSING' : 'FINISHED';
  // The list was not processed, and its partner must send it again.
  const failed = row.status === 'FAILED' || isLost;
  const none = { received, added: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 };
  const { counts = none, warnings, packedRemarks } = row;
  return {
    sessionId,
    startedAt,
    status,
    failed,
    // It is unknown how much of a failed list was applied. Warnings say why points are left that the list does not name.
    ...(failed
      ? { counts: none, warnings: [], packedRemarks: undefined }
      : { counts, warnings, packedRemarks }),
    dryRun,
    storedErrors: shown,
    hasChanges,
  };
}

const keptMs = days(30);
/** A row takes 400 kB: this much JSON fits even if gzip does not make it smaller. */
const bytesInRow = 350_000;
/**
 * Remarks and changes take up to 350,000 bytes of a response, where every character of their ids takes seven: these, and
 * what every response leaves free. The number is the same for all lists, so that a repeat stores the same errors.
 */
const bytesBesideErrors = 200_000;

type NewSession = SessionRef & Pick<AcceptedList, 'received' | 'dryRun' | 'acceptedAt'>;

const ErrorRow = z.object({ sk: z.string(), errors: z.instanceof(Uint8Array) });
const ChangesRow = z.object({ changes: z.instanceof(Uint8Array) });
const Recorded = z.object({ counts: SyncCounts });

/**
 * Sync sessions. A session begins, gets the record of what its list does, and ends. Each of these happens once, under a
 * condition, however often it is tried.
 */
export function syncSessionStore(table: Table) {
  /** Newest first. */
  const newest = async (offerId: string, limit: number, nowMs: number) => {
    const rows = await readPartition(table, sessionsPartition(offerId), {
      ScanIndexForward: false,
      Limit: limit,
    });
    return rows.flatMap((row) => readSession(row, nowMs) ?? []);
  };

  return {
    newest,

    /** Whether as many lists of the offer wait to be processed. They are in order, so if one has ended, fewer wait. */
    areWaiting: async (offerId: string, count: number, nowMs: number): Promise<boolean> => {
      // Nearly always the newest has ended, and is the only row that is read.
      for (const limit of [1, count]) {
        const sessions = await newest(offerId, limit, nowMs);
        const waiting = sessions.filter(({ status }) => status === 'PROCESSING');
        if (waiting.length < limit) return false;
      }
      return true;
    },

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

    find: async ({ offerId, sessionId }: SessionRef, nowMs: number) => {
      const row = await readRow(table, sessionKey(offerId, sessionId));
      const session = row && readSession(row, nowMs);
      return session && { ...session, remarks: await unpackRemarks(session.packedRemarks) };
    },

    /**
     * Records what the list does before it does it. A repeat, which may find it half done and would count less, gets
     * the counts of the first record, and leaves its changes as they are. Of the rejected elements those are stored that
     * fit into a response, as its text.
     */
    record: async (
      { offerId, sessionId }: SessionRef,
      { counts, warnings, remarks, rejected, changes }: ListOutcome,
      nowMs: number,
    ): Promise<SyncCounts> => {
      const texts = fitInResponse(
        rejected,
        (item) => JSON.stringify(RejectedElement.parse(item)),
        bytesBesideErrors,
      );
      const rows = await errorRows({ offerId, sessionId }, texts, nowMs);
      await writeAll(table, rows);
      if (changes) await createRow(table, await changesRow({ offerId, sessionId }, changes, nowMs));
      const recorded = await updateIf(table, {
        Key: sessionKey(offerId, sessionId),
        ...updateExpression({
          set: {
            counts,
            warnings,
            ...(remarks.length > 0 ? { packedRemarks: await packRemarks(remarks) } : {}),
            ...(changes ? { hasChanges: true } : {}),
            shown: { count: texts.length, rows: rows.length },
          },
        }),
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(counts)',
      });
      return recorded.applied ? counts : Recorded.parse(recorded.row).counts;
    },

    /** Ends the session, together with its event, if it has one. Returns whether this call did. */
    end: async (
      { offerId, sessionId }: SessionRef,
      status: 'FINISHED' | 'FAILED',
      told?: { partnerId: string; event: NewEvent },
    ): Promise<boolean> => {
      const Key = sessionKey(offerId, sessionId);
      const change = updateIfStill({ status: 'PROCESSING' }, { set: { status } });
      if (!told) return (await updateIf(table, { Key, ...change })).applied;
      const writes = [changeRow(table, Key, change), eventWrite(table, told.partnerId, told.event)];
      return (await transactional(table, writes)).applied;
    },

    /** The rejected elements that are stored, in the order of the partner's list: the JSON text of an array. */
    rejectedText: async ({ offerId, sessionId }: SessionRef, rowCount: number): Promise<string> => {
      const keys = Array.from({ length: rowCount }, (_, part) => syncErrorsKey(offerId, sessionId, part));
      const rows = z.array(ErrorRow).parse(await readUnchanging(table, keys));
      const inOrder = rows.sort((a, b) => (a.sk < b.sk ? -1 : 1));
      const arrays = await Promise.all(inOrder.map(async ({ errors }) => (await gunzip(errors)).toString()));
      return `[${arrays.map((array) => array.slice(1, -1)).join(',')}]`;
    },

    /** What the list changes, as JSON text. */
    changesText: async ({ offerId, sessionId }: SessionRef): Promise<string> => {
      const [row] = await readUnchanging(table, [syncChangesKey(offerId, sessionId)]);
      return (await gunzip(ChangesRow.parse(row).changes)).toString();
    },
  };
}

async function changesRow({ offerId, sessionId }: SessionRef, changes: ListChanges, nowMs: number) {
  return {
    ...syncChangesKey(offerId, sessionId),
    changes: await gzip(JSON.stringify(changes)),
    expiresAt: epochSeconds(nowMs + keptMs),
  };
}

function errorRows({ offerId, sessionId }: SessionRef, texts: readonly string[], nowMs: number) {
  const parts = inGroupsWithin({ bytes: bytesInRow }, texts, (json) => Buffer.byteLength(json) + 1);
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
