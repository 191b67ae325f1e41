import * as z from 'zod/mini';
import { backoff } from '../runtime/backoff.ts';
import { days, epochSeconds } from '../runtime/clock.ts';
import { noticeKey, noticesPartition } from '../table/keys.ts';
import { readPartition } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import { type Transacted, type TransactItems, transactional } from '../table/transactional.ts';

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

/** Makes a conditional change and leaves its notice, if there is one: both or neither. */
export function withNotice(
  table: Table,
  change: TransactItems[number],
  { partnerId, notice }: { partnerId: string; notice: Notice | undefined },
): Promise<Transacted> {
  const put = notice && { Put: { TableName: table.name, Item: noticeRow(partnerId, notice) } };
  return transactional(table, put ? [change, put] : [change], backoff());
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
