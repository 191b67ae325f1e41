import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { capacityMeter } from '../../../ops/data-lifecycle/capacity-meter.ts';
import { erasePartner, type PartnerErasure } from '../../../ops/data-lifecycle/erase-partner.ts';
import { partnerAdminStore } from '../../../shared/partners/partner-admin-store.ts';
import { callbackKey } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { offerKey } from '../../../shared/platform/table/row-keys/partners.ts';
import { putRow, updateExpression, updateRow } from '../../../shared/platform/table/rows.ts';
import { deliveryStateStore } from '../../../shared/push/delivery-state-store.ts';
import { bulkIdFrom, bulkMessageId } from '../../../shared/push/message-id.ts';
import { messageStore } from '../../../shared/push/message-store.ts';
import { noon } from '../../support/clock.ts';
import { eraseNumber } from '../../support/erase-number.ts';
import { type Call, interceptCalls, justBefore } from '../../support/intercept-calls.ts';
import { content, fillPartner } from '../../support/sample-partner.ts';
import { newTable, rowsOf, type TestTable } from '../../support/table.ts';
import { bakery, bars as someBars } from './restore-rig.ts';

const bars = { ...someBars, places: 30 };
const erasure = { partnerId: 'bars', login: 'bars-api', offerIds: ['bars-of-moscow'], dryRun: false };
/** An earlier run has deleted the keys, and nobody names the offers. */
const continued = { partnerId: 'bars', offerIds: [], dryRun: false };

/** Returns a table with a partner that was disabled. */
async function disabledBars(): Promise<TestTable> {
  const table = await newTable();
  await fillPartner(table, bars);
  await partnerAdminStore(table).setDisabled('bars', true);
  return table;
}

function erase(table: TestTable, what: PartnerErasure = erasure) {
  return erasePartner(table, capacityMeter(table, 1e9), what);
}

/** A heartbeat is about no partner. */
async function expectErased(table: TestTable): Promise<void> {
  expect((await rowsOf(table)).map(({ pk }) => pk)).toEqual(['HEARTBEAT#29654640']);
}

test('an erasure that broke off anywhere finds the partner again and completes', async () => {
  const table = await newTable();
  await fillPartner(table, bakery);
  const others = await table.rows();
  await fillPartner(table, bars);
  await partnerAdminStore(table).setDisabled('bars', true);
  let writesLeft = Number.POSITIVE_INFINITY;
  interceptCalls(table.client, async ({ name }, make) => {
    if (/Write|Delete/.test(name) && writesLeft-- <= 0) throw new Error('broken off');
    return make();
  });
  let brokenOff = 0;
  for (let allowed = 0; ; allowed++) {
    writesLeft = allowed;
    const run = await erase(table).catch((error: Error) => error.message);
    if (run !== 'broken off') break;
    brokenOff += 1;
    expect(await partnerAdminStore(table).find('bars')).toMatchObject({ disabled: true });
  }
  expect(brokenOff).toBeGreaterThan(2);
  expect(await table.rows()).toEqual(others);
});

test('a bulk send stays while a part of it does, since it says whose the part is', async () => {
  const table = await disabledBars();
  justBefore(
    table.client,
    ({ name, input }) => name === 'BatchWriteItemCommand' && JSON.stringify(input).includes('PART#'),
    () => Promise.reject(new Error('once')),
  );
  await expect(erase(table)).rejects.toThrow('once');
  const left = (await rowsOf(table)).filter(({ pk }) => pk.startsWith('BULK#')).map(({ sk }) => sk);
  expect(left.filter((sk) => sk.startsWith('PART#')).length).toBeGreaterThan(0);
  expect(left.filter((sk) => sk === 'PAYLOAD')).toHaveLength(2);
  await erase(table);
  await expectErased(table);
});

test('a partner that is enabled while it is erased keeps its key and its offer', async () => {
  const table = await newTable();
  await fillPartner(table, bars);
  expect(await erase(table)).toMatchObject({ enabledMeanwhile: true });
  expect(await partnerAdminStore(table).find('bars')).toMatchObject({ offerIds: ['bars-of-moscow'] });
  expect(await partnerAdminStore(table).offers(['bars-of-moscow'])).toMatchObject([{ partnerId: 'bars' }]);
});

test('an offer that another partner gets while this one is erased stays', async () => {
  const table = await disabledBars();
  const Key = offerKey('bars-of-moscow');
  const isOffer = ({ name, input }: Call) => name === 'DeleteItemCommand' && input.Key.pk === Key.pk;
  const given = updateExpression({ set: { partnerId: 'bakery' } });
  justBefore(table.client, isOffer, () => updateRow(table, { Key, ...given }));
  await erase(table);
  expect(await partnerAdminStore(table).offers(['bars-of-moscow'])).toMatchObject([{ partnerId: 'bakery' }]);
});

test('two erasures at once both complete', async () => {
  const table = await disabledBars();
  justBefore(
    table.client,
    ({ name }) => name === 'TransactWriteItemsCommand',
    () => erase(table),
  );
  expect(await erase(table)).toMatchObject({ enabledMeanwhile: false });
  await expectErased(table);
});

test('an erasure that broke off behind the keys finds the offers by their rows', async () => {
  const table = await disabledBars();
  const isOffer = ({ name, input }: Call) =>
    name === 'DeleteItemCommand' && JSON.stringify(input).includes('OFFER#');
  justBefore(table.client, isOffer, () => Promise.reject(new Error('broken off')));
  await expect(erase(table)).rejects.toThrow('broken off');
  expect(await partnerAdminStore(table).find('bars')).toBeUndefined();
  await erase(table, continued);
  await expectErased(table);
});

test('bulk sends are erased also where a page of the table ends between their parts', async () => {
  const table = await newTable();
  const recipients = Array.from({ length: 65_536 }, (_, n) => ({
    msisdn: 79_000_000_000 + n,
    registered: true,
  }));
  for (const n of [1, 2, 3]) {
    await messageStore(table).saveBulk({
      bulkId: `5d3b7a0e-0000-8000-8000-0000000${n}`,
      partnerId: n === 3 ? 'bakery' : 'bars',
      acceptedAt: noon,
      requestId: 'r',
      recipients,
      contents: [content('We moved')],
      each: false,
    });
  }
  const { rows } = await erase(table, continued);
  expect(rows.toJSON()).toEqual({ 'bulk send': 2, 'part of a bulk send': 132, 'send in lists': 2 });
  expect(await rowsOf(table)).toHaveLength(68);
});

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
  return { table, reports };
}

test('states and callbacks that come while a number is erased go with its messages', async () => {
  const { table, reports } = await filled();
  const isErasure = ({ name, input }: Call) =>
    /Write|Delete/.test(name) && /MSG#/.test(JSON.stringify(input));
  justBefore(table.client, isErasure, async () => {
    for (const report of reports) {
      await deliveryStateStore(table).record([{ ...report, state: 'DELIVERED' }]);
      await putRow(table, { ...callbackKey('bars', report.message.messageId, 'DELIVERED'), msisdn });
    }
    expect(await table.rows('CALLBACK')).toHaveLength(2);
  });
  await eraseNumber(table, msisdn);
  const left = await table.rows();
  expect(left.map(({ sk }) => sk).sort()).toEqual(['-', 'PART#000000', 'PAYLOAD']);
  expect(left.flatMap((row) => Object.keys(row)).filter((name) => /^[doce]0/.test(name))).toEqual([]);
});

test('an erasure that was stopped before any of its writes is completed by the next run', async () => {
  let stopped: boolean;
  let writes = 0;
  do {
    const { table } = await filled();
    let left = writes;
    stopped = false;
    const end = interceptCalls(table.client, ({ name }, make) => {
      if (/^(Put|Update|Delete|BatchWrite)/.test(name)) left -= 1;
      if (left >= 0) return make();
      stopped = true;
      throw new Error('stopped');
    });
    await eraseNumber(table, msisdn).catch(() => undefined);
    end();
    await eraseNumber(table, msisdn);
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
