import * as z from 'zod/mini';
import { epochSeconds } from '../runtime/clock.ts';
import { gunzip, gzip } from '../runtime/gzip.ts';
import { putIf, updateIf } from '../table/condition.ts';
import { sessionKey, sliceOfPlan, slicePlanPrefix, slicePlanSort, syncPartition } from '../table/keys.ts';
import { queryRows } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import { writeAll } from '../table/write-all.ts';
import { packRows } from './pack-rows.ts';
import { SliceCounts, type SlicePlan } from './slice-plan.ts';
import { removalsStep } from './sync-session.ts';
import { sessionKeptMs } from './sync-session-store.ts';

/** A removal that is interrupted continues behind the last row that it finished. */
const idsPerRow = 1_000;

type Ref = { offerId: string; sessionId: string };
type Plan = Pick<SlicePlan, 'counts' | 'remove'>;

/** `upTo` is the sort key of the plan row. */
export type PlannedRemovals = { itemIds: string[]; upTo: string };

const PlanRow = z.object({ sk: z.string(), remove: z.optional(z.instanceof(Uint8Array)) });

/** What the slices of a session would remove, and the one step that removes it. */
export function removalStore(table: Table) {
  return {
    /**
     * Records what a slice is about to do, and the itemIds that its session may have to remove. A slice that is
     * delivered again may find half of it done and would count less: it gets the first record.
     */
    recordPlan: async (
      { offerId, sessionId }: Ref,
      slice: number,
      { counts, remove }: Plan,
      nowMs: number,
    ): Promise<SliceCounts> => {
      const ids = packRows(
        remove.map((itemId) => JSON.stringify(itemId)),
        idsPerRow,
      );
      const packed = await Promise.all(ids.map((json) => gzip(json)));
      const row = (part: number) => ({
        pk: syncPartition(offerId, sessionId),
        sk: slicePlanSort(slice, part),
        ...(packed[part] ? { remove: packed[part] } : {}),
        expiresAt: epochSeconds(nowMs + sessionKeptMs),
      });
      // The first row comes last: when it is there, all are.
      await writeAll(
        table,
        packed.slice(1).map((_, n) => ({ put: row(n + 1) })),
      );
      const recorded = await putIf(table, {
        Item: { ...row(0), ...counts },
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return recorded.applied ? counts : SliceCounts.parse(recorded.existing);
    },

    /** What the slices recorded, behind the row `after`; not what slices recorded that failed in the end. */
    planned: async function* (
      { offerId, sessionId }: Ref,
      { after, failedSlices }: { after?: string | undefined; failedSlices: ReadonlySet<number> },
    ): AsyncGenerator<PlannedRemovals> {
      const rows = queryRows(table, {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': syncPartition(offerId, sessionId),
          ':from': after === undefined ? slicePlanPrefix : `${after}\u0000`,
          ':to': `${slicePlanPrefix}~`,
        },
      });
      for await (const row of rows) {
        const { sk, remove } = PlanRow.parse(row);
        if (!remove || failedSlices.has(sliceOfPlan(sk))) continue;
        const itemIds = z.array(z.string()).parse(JSON.parse((await gunzip(remove)).toString()));
        yield { itemIds, upTo: sk };
      }
    },

    /** Decides for removing. From now on a repeat continues, whatever it would decide. */
    begin: async ({ offerId, sessionId }: Ref): Promise<void> => {
      const begun = await updateIf(table, {
        Key: sessionKey(offerId, sessionId),
        UpdateExpression: 'SET decision = :remove',
        ConditionExpression: 'contains(pending, :step) AND attribute_not_exists(decision)',
        ExpressionAttributeValues: { ':remove': 'remove', ':step': removalsStep },
      });
      if (!begun.applied) throw new Error('the removals of this session were decided meanwhile');
    },

    saveProgress: async (
      { offerId, sessionId }: Ref,
      removed: number,
      removedUpTo: string,
    ): Promise<void> => {
      const saved = await updateIf(table, {
        Key: sessionKey(offerId, sessionId),
        UpdateExpression: 'SET removed = :removed, removedUpTo = :upTo',
        ConditionExpression: 'contains(pending, :step)',
        ExpressionAttributeValues: { ':removed': removed, ':upTo': removedUpTo, ':step': removalsStep },
      });
      if (!saved.applied) throw new Error('the removals of this session have ended meanwhile');
    },
  };
}

export type RemovalStore = ReturnType<typeof removalStore>;
