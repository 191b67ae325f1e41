import { days, epochSeconds } from '../runtime/clock.ts';
import { parkedKey } from '../table/keys.ts';
import type { ParkedQueue } from '../table/row-kinds.ts';
import { putRow } from '../table/rows.ts';
import type { Table } from '../table/table.ts';

const keptMs = days(30);
const maxBodyCharacters = 90_000;

/** Messages that no consumer can process, kept 30 days with the reason, out of the way of the others. */
export function parkedStore(table: Table) {
  return {
    park: async (
      message: { queue: ParkedQueue; messageId: string; body: string },
      reason: string,
      nowMs: number,
    ): Promise<void> => {
      await putRow(table, {
        ...parkedKey(message.queue, message.messageId),
        reason,
        parkedAt: nowMs,
        body: message.body.slice(0, maxBodyCharacters),
        expiresAt: epochSeconds(nowMs + keptMs),
      });
    },
  };
}

export type ParkedStore = ReturnType<typeof parkedStore>;
