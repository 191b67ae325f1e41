import type { Row } from '../../../shared/platform/table/batches.ts';
import { sendIdOf } from '../../../shared/push/message-id.ts';
import type { Rows } from '../world.ts';

/** Whether a message belongs to a send that was scheduled. */
export function scheduledIn(rows: Rows): (messageId: string) => boolean {
  const sends = [...rows('single message'), ...rows('bulk send')];
  const ids = new Set(sends.flatMap((row) => (row['deliverFrom'] === undefined ? [] : [idIn(row)])));
  return (messageId) => ids.has(sendIdOf(messageId));
}

/** The id of the send in a row. */
export function idIn(row: Row): string {
  return String(row['messageId'] ?? row['bulkId']);
}
