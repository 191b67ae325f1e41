import { days, epochSeconds, hours, systemClock } from '../../platform/runtime/clock.ts';
import { deliveredPartition } from '../../platform/table/row-keys/callbacks.ts';
import { bucketOf, timeSortKey } from '../../platform/table/row-keys/row-key.ts';
import { putRow } from '../../platform/table/rows.ts';
import type { Table } from '../../platform/table/table.ts';
import { webhookId } from '../callback.ts';
import { type Delivered, packDelivered } from './delivered-row.ts';

/** Rule 58 promises readers of the feed this much. */
export const feedPromisedMs = days(7);
/** Rows stay an hour longer, in which a reader that begins with the oldest has time to go on. */
export const feedKeptMs = feedPromisedMs + hours(1);
export const logKeptMs = days(3);
/** A row whose write took longer may be behind a reader of the feed: `endsBeforeMs` is longer than this. */
const writtenWithinMs = 5_000;

/**
 * The log of delivered callbacks, which is also the partner's feed: one gzipped row for each queue message, under the time
 * of its writing. It has what the feed delivered, for 7 days; and what a first attempt delivered, for 3 days, if the partner
 * wants these callbacks listed.
 */
export function deliveredLog(table: Table, clock = systemClock) {
  return {
    /** Writes a row, and again under a new time until its response comes soon enough for every reader of the feed. */
    add: async (
      partnerId: string,
      delivered: readonly Delivered[],
      { keptMs }: { keptMs: number },
    ): Promise<void> => {
      const [first = ''] = delivered.map(({ callback }) => webhookId(callback)).sort();
      const bucket = bucketOfSend(delivered[0]?.callback.messageId ?? '');
      for (;;) {
        const atMs = clock.now();
        await putRow(table, {
          pk: deliveredPartition(partnerId, bucket),
          sk: timeSortKey(atMs, first),
          ...(await packDelivered(delivered, atMs)),
          expiresAt: epochSeconds(atMs + keptMs),
        });
        if (clock.now() - atMs <= writtenWithinMs) return;
      }
    },
  };
}

/** The ids of a bulk send differ only in the last four digits, so all of its callbacks are in one bucket. */
export function bucketOfSend(messageId: string): number {
  return bucketOf(messageId.slice(0, -4));
}
