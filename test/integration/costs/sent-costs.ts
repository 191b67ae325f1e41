import { randomUUID } from 'node:crypto';
import { writeAll } from '../../../shared/platform/table/batches.ts';
import { bulkStatesKey } from '../../../shared/platform/table/row-keys/push.ts';
import { bulkIdFrom, bulkMessageId } from '../../../shared/push/message-id.ts';
import { stateAttribute } from '../../../shared/push/message-states.ts';
import { messageStore } from '../../../shared/push/message-store.ts';
import type { TestTable } from '../../support/table.ts';
import { after, type CostCases, count, gzipVaries, once, padded, worst } from './cost-case.ts';
import { by } from './cost-partner.ts';
import { largestContent } from './send-costs.ts';

/** Stores a bulk send of the partner with the largest content, or contents if each message has one. */
export async function storeSend(
  table: TestTable,
  partnerId: string,
  { recipients, each = false }: { recipients: number; each?: boolean },
) {
  const bulkId = bulkIdFrom(randomUUID());
  await messageStore(table).saveBulk({
    bulkId,
    partnerId,
    requestId: randomUUID(),
    acceptedAt: Date.now(),
    recipients: count(recipients).map((n) => ({ msisdn: 79_000_000_000 + n, registered: true })),
    contents: count(each ? recipients : 1).map(largestContent),
    each,
  });
  return bulkId;
}

/** Stores a send whose messages have reached every state, and returns the id of one of them. */
async function storeFinished(table: TestTable, recipients: number): Promise<string> {
  const bulkId = await storeSend(table, 'bars', { recipients });
  const seconds = Math.floor(Date.now() / 1_000);
  const states = (['DELIVERED', 'OPENED', 'EXPIRED'] as const).flatMap((state) =>
    count(40).map((n) => [stateAttribute(state, n), seconds + n] as const),
  );
  const others = {
    ...Object.fromEntries(states),
    partnerId: 'bars',
    expiresAt: seconds,
    requestId: randomUUID(),
  };
  await writeAll(
    table,
    count(recipients / 40).map((group) => ({ put: { ...bulkStatesKey(bulkId, group), ...others } })),
  );
  return bulkMessageId(bulkId, 0);
}

const largestReported = once((table) => storeFinished(table, 40_000));
const largestInCsv = once((table) => storeFinished(table, 30_000));
/** As many messages as are stored in one row. */
const eachWithContent = once((table) => storeSend(table, 'bars', { recipients: 80, each: true }));
const hundredSends = once(async (table) => {
  for (const _ of count(100)) await storeSend(table, 'lister', { recipients: 2 });
});

export const sentCosts: CostCases = {
  GetDeliveryHistory: [
    worst(
      'one of many messages with a content each, which share a row',
      { read: 32, atMost: gzipVaries },
      async (table) => ({ path: { messageId: bulkMessageId(await eachWithContent(table), 79) } }),
    ),
  ],
  GetSendReport: [
    worst(
      'the counts of 40,000 messages in three states each',
      { read: 1_082, write: 1, cpu: { ms: 1_500, because: 'it reads 120,000 times of states' } },
      async (table) => ({ path: { messageId: await largestReported(table) } }),
    ),
    worst(
      'a CSV of 30,000 messages in three states each',
      { read: 812, write: 1, cpu: { ms: 1_500, because: 'it reads 90,000 times of states' } },
      async (table) => {
        return { headers: { accept: 'text/csv' }, path: { messageId: await largestInCsv(table) } };
      },
    ),
  ],
  CancelPush: [
    worst(
      'the largest send with the largest content, which has a deadline',
      { read: 4, write: 19 },
      async (table) => ({
        path: { messageId: bulkMessageId(await storeSend(table, 'bars', { recipients: 40_000 }), 0) },
        body: padded({ of: 'send' }),
      }),
    ),
    worst(
      'one of many messages with a content each, which share a row',
      { read: 33, write: 2, atMost: gzipVaries },
      async (table) => ({
        path: { messageId: bulkMessageId(await eachWithContent(table), 79) },
        body: { of: 'message' },
      }),
    ),
  ],
  ListSends: [
    worst(
      '100 sends with the largest contents',
      { read: 104, isSpread: true },
      after(hundredSends, { ...by('lister'), query: { limit: '100' } }),
    ),
  ],
};
