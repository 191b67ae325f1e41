import type { Work } from '../logging/log.ts';
import { type Clock, days, epochSeconds } from '../runtime/clock.ts';
import { parkedKey } from '../table/row-keys/workers.ts';
import type { ParkedQueue } from '../table/row-kinds.ts';
import { createRow, putRow } from '../table/rows.ts';
import type { Table } from '../table/table.ts';

const keptMs = days(30);
const maxBodyCharacters = 90_000;

/** Messages that no consumer can process, kept 30 days with the reason, out of the way of the others. */
export function parkedStore(table: Table) {
  return {
    /** Returns whether the message was not parked before. */
    park: async (
      message: { queue: ParkedQueue; id: string; body: string },
      reason: string,
      nowMs: number,
    ): Promise<boolean> => {
      const row = {
        ...parkedKey(message.queue, message.id),
        reason,
        parkedAt: nowMs,
        body: message.body.slice(0, maxBodyCharacters).toWellFormed(),
        expiresAt: epochSeconds(nowMs + keptMs),
      };
      const before = await createRow(table, row);
      if (before) await putRow(table, row);
      return before === undefined;
    },
  };
}

export type ParkedStore = ReturnType<typeof parkedStore>;

/** Parks a message, and says so in the log line of its unit of work. */
export async function parkMessage(
  { parked, clock }: { parked: ParkedStore; clock: Clock },
  work: Work,
  message: { queue: ParkedQueue; record: { messageId: string; body: string }; reason: string },
): Promise<void> {
  const { queue, record, reason } = message;
  work.addFields({ parked: reason, parkedId: record.messageId });
  work.addMetrics({ Parked: 1 });
  await parked.park({ queue, id: record.messageId, body: record.body }, reason, clock.now());
}
