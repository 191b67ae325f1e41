import * as z from 'zod/mini';
import { eventWrite } from '../../events/event-store.ts';
import { days, epochSeconds, hours } from '../../platform/runtime/clock.ts';
import { repeated } from '../../platform/runtime/time-left.ts';
import { failedCallbacksKey, failedShard } from '../../platform/table/row-keys/callbacks.ts';
import { readRow, still, updateIf } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { putNew, transactional } from '../../platform/table/transactional.ts';

const toldEveryMs = hours(1);
const keptMs = days(30);

/** When the partner was last told of callbacks that failed every attempt, and how many have failed since. */
const FailedCallbacksRow = z.object({ toldAt: z.number(), untold: z.int() });

/**
 * Rule 55: `callbacks.failed` is told at once for the first callback in an hour, then hourly with how many since. The row
 * is in the index `due` while some are untold, so that SweepDue tells of them when the hour is over.
 */
export function failedCallbacks(table: Table) {
  /** Tells of `count` failed callbacks, unless the row has changed since it was read. */
  const tell = async (
    partnerId: string,
    seen: z.infer<typeof FailedCallbacksRow> | undefined,
    { count, atMs }: { count: number; atMs: number },
  ): Promise<boolean> => {
    const told = { toldAt: atMs, untold: 0, expiresAt: epochSeconds(atMs + keptMs) };
    const Item = { ...failedCallbacksKey(partnerId), ...told };
    const write = seen ? { Put: { TableName: table.name, Item, ...still(seen) } } : putNew(table, Item);
    const event = eventWrite(table, partnerId, { kind: 'callbacks.failed', atMs, data: { count } });
    return (await transactional(table, [write, event])).applied;
  };

  return {
    /** Counts one more, or tells of it. A repeat may count twice: too many are better than none. */
    count: async (partnerId: string, atMs: number): Promise<void> => {
      const counted = await repeated(async () => {
        const added = await updateIf(table, {
          Key: failedCallbacksKey(partnerId),
          UpdateExpression: 'ADD untold :one SET dueShard = :shard, dueAt = toldAt + :hour',
          ConditionExpression: 'toldAt > :hourAgo',
          ExpressionAttributeValues: {
            ':one': 1,
            ':shard': failedShard,
            ':hour': toldEveryMs,
            ':hourAgo': atMs - toldEveryMs,
          },
        });
        if (added.applied) return true;
        const seen = z.optional(FailedCallbacksRow).parse(added.row);
        return (await tell(partnerId, seen, { count: (seen?.untold ?? 0) + 1, atMs })) || undefined;
      });
      if (!counted)
        throw new Error(`the failed callbacks of ${partnerId} changed under every try to count one`);
    },

    /** Tells of what was counted, if the hour is over. What changes meanwhile is told by the next run. */
    tellIfDue: async (partnerId: string, atMs: number): Promise<void> => {
      const seen = z.optional(FailedCallbacksRow).parse(await readRow(table, failedCallbacksKey(partnerId)));
      if (!seen || seen.untold === 0 || atMs - seen.toldAt < toldEveryMs) return;
      await tell(partnerId, seen, { count: seen.untold, atMs });
    },
  };
}

export type FailedCallbacks = ReturnType<typeof failedCallbacks>;
