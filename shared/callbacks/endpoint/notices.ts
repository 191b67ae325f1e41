import * as z from 'zod/mini';
import { days, epochSeconds } from '../../runtime/clock.ts';
import { noticeKey, noticesPartition } from '../../table/keys.ts';
import { readPartition } from '../../table/rows.ts';
import type { Table } from '../../table/table.ts';
import type { TransactItems } from '../../table/transactional.ts';

const shown = 50;
const keptMs = days(365);

/** Something that happened to a partner's endpoint, for the partner; `by` is the key of who asked for it. */
export const Notice = z.object({ at: z.number(), what: z.string(), by: z.optional(z.string()) });
export type Notice = z.infer<typeof Notice>;

export function noticeRow(partnerId: string, notice: Notice) {
  return {
    ...noticeKey(partnerId, notice.at, notice.what),
    ...notice,
    expiresAt: epochSeconds(notice.at + keptMs),
  };
}

/** Part of a transaction: the change and its notice are both there or neither. */
export function putNotice(table: Table, partnerId: string, notice: Notice): TransactItems[number] {
  return { Put: { TableName: table.name, Item: noticeRow(partnerId, notice) } };
}

/** The newest notices, newest first, without those that have expired. */
export async function newestNotices(table: Table, partnerId: string, nowMs: number): Promise<Notice[]> {
  const rows = await readPartition(table, noticesPartition(partnerId), {
    ScanIndexForward: false,
    Limit: shown,
  });
  return z
    .array(Notice)
    .parse(rows)
    .filter(({ at }) => at + keptMs > nowMs);
}
