import type { Table } from '../../shared/platform/table/table.ts';
import { bulkIdFrom, bulkMessageId } from '../../shared/push/message-id.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import type { PushContent } from '../../shared/push/sending/push-content.ts';

export const news: PushContent = {
  pushType: 'SERVICE',
  payload: { title: 'News', message: 'We moved' },
  qos: { deliveryStatusNotifications: true },
};

let sends = 0;

/**
 * Stores a bulk send, of bars unless another partner is named, to this many registered numbers from 79000000000 on, and returns the ids of its messages.
 * If there are several contents, each message has its own.
 */
export async function storeBulk(
  table: Table,
  count: number,
  {
    acceptedAt,
    contents = [news],
    partnerId = 'bars',
  }: { acceptedAt: number; contents?: PushContent[]; partnerId?: string },
): Promise<string[]> {
  sends += 1;
  const bulkId = bulkIdFrom(`5d3b7a0e-0000-4000-8000-${String(sends).padStart(8, '0')}0000`);
  const recipients = Array.from({ length: count }, (_, n) => ({
    msisdn: 79_000_000_000 + n,
    registered: true,
  }));
  const owner = { partnerId, requestId: 'r1', acceptedAt, bulkId };
  await messageStore(table).saveBulk({ ...owner, recipients, contents, each: contents.length > 1 });
  return recipients.map((_, n) => bulkMessageId(bulkId, n));
}
