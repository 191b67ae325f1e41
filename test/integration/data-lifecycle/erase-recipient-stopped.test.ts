import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { capacityMeter } from '../../../ops/data-lifecycle/capacity-meter.ts';
import { eraseRecipient } from '../../../ops/data-lifecycle/erase-recipient.ts';
import { deliveryStateStore } from '../../../shared/push/delivery-state-store.ts';
import { bulkIdFrom, bulkMessageId } from '../../../shared/push/message-id.ts';
import { messageStore } from '../../../shared/push/message-store.ts';
import { noon } from '../../support/clock.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { content } from '../../support/sample-partner.ts';
import { newTable } from '../../support/table.ts';

const msisdn = 79_000_000_000;
const own = { partnerId: 'bars', acceptedAt: noon, requestId: 'r' };
const to = { msisdn, registered: true };

/** Returns a table with a single message and a multi send to one number, with a state of each. */
async function filled() {
  const table = await newTable();
  const messages = messageStore(table);
  const single = { ...own, ...to, messageId: randomUUID(), content: content('Hi') };
  const bulkId = bulkIdFrom(randomUUID());
  await messages.saveSingle(single);
  await messages.saveBulk({ ...own, bulkId, recipients: [to], contents: [content('Hi')], each: true });
  const found = await messages.findMany([single.messageId, bulkMessageId(bulkId, 0)], noon);
  const reports = [...found.values()].map((message) => ({ message, state: 'OPENED' as const, atMs: noon }));
  expect(reports).toHaveLength(2);
  for (const report of reports) await deliveryStateStore(table).record([report]);
  return table;
}

test('an erasure that was stopped before any of its writes is completed by the next run', async () => {
  const erasure = { msisdn, dryRun: false };
  let stopped: boolean;
  let writes = 0;
  do {
    const table = await filled();
    const meter = capacityMeter(table, 1e9);
    let left = writes;
    stopped = false;
    const end = interceptCalls(table.client, ({ name }, make) => {
      if (/^(Put|Update|Delete|BatchWrite)/.test(name)) left -= 1;
      if (left >= 0) return make();
      stopped = true;
      throw new Error('stopped');
    });
    await eraseRecipient(table, meter, erasure).catch(() => undefined);
    end();
    await eraseRecipient(table, meter, erasure);
    const rows = (await table.rows()).map(({ sk, o0, summary }) => ({ sk, o0, summary }));
    expect(rows).toEqual(
      expect.arrayContaining(
        [{ sk: 'PART#000000' }, { sk: 'PAYLOAD' }].map((row) => expect.objectContaining(row)),
      ),
    );
    expect(rows.filter(({ sk, o0, summary }) => sk === 'STATE' || o0 !== undefined || summary)).toEqual([]);
    writes += 1;
  } while (stopped);
  expect(writes).toBeGreaterThan(5);
});
