import { describe, expect, test } from 'vitest';
import { deadlineKey } from '../../../shared/platform/table/row-keys/push.ts';
import { putRow } from '../../../shared/platform/table/rows.ts';
import { type Deadline, deadlineStore, saveTimes } from '../../../shared/push/deadlines/deadline-store.ts';
import { noon } from '../../support/clock.ts';
import { refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { sqsRecord } from '../../support/queue.ts';
import { content, deliverFrom, from, numbers, other, phone, pushRig, scheduled } from './push-rig.ts';

const rig = inEachTest(() => pushRig(phone));

describe('rule 54: a request with deliverFrom', () => {
  test('answers SCHEDULED for registered numbers, in all three sends and their dry runs, and hands nothing over', async () => {
    expect(await rig.sent.single(phone, scheduled)).toMatchObject({ state: 'SCHEDULED' });
    const expected = [
      { msisdn: phone, state: 'SCHEDULED' },
      { msisdn: other, state: 'MSISDN_NOT_REGISTERED' },
    ];
    const bulk = { ...scheduled, msisdn: [phone, other] };
    const multi = [phone, other].map((msisdn) => ({ ...scheduled, msisdn }));
    expect((await rig.bulk(bulk)).body).toMatchObject(expected);
    expect((await rig.multi(multi)).body).toMatchObject(expected);
    const dryRun = { query: { dryRun: 'true' } };
    expect((await rig.single({ ...scheduled, msisdn: phone }, dryRun)).body).toEqual({ state: 'SCHEDULED' });
    expect((await rig.bulk(bulk, dryRun)).body).toEqual(expected);
    expect((await rig.multi(multi, dryRun)).body).toEqual(expected);
    expect(await rig.heads()).toHaveLength(3);
    expect(await rig.handedOver()).toEqual([]);
  });

  test('is kept 39 days from its time on, which feeds and repeats may need, and not from its acceptance', async () => {
    await rig.sent.single(phone, scheduled);
    await rig.sent.bulk([phone, other], scheduled);
    const rows = (await rig.table.rows()).filter(({ pk }) => /^(MSG|BULK|SENDS)#/.test(String(pk)));
    const expiresAt = (noon + 10 * 60_000) / 1_000 + 39 * 86_400;
    expect(rows.map((row) => row['expiresAt'])).toEqual(Array(4).fill(expiresAt));
  });

  test('rule 55: has an event with the login of its key; one without has none', async () => {
    await rig.sent.single(phone);
    const { messageId } = await rig.sent.single(phone, scheduled);
    await rig.sent.bulk([phone, other], scheduled);
    const events = await rig.table.rows('EVENTS#');
    const data = { messageId, deliverFrom: '2026-05-20T12:10:00.000Z' };
    expect(events).toHaveLength(2);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'send.scheduled', by: 'bars', data, at: rig.clock.now() }),
    );
  });

  test('is refused where its name is misspelt', async () => {
    const { headers } = await rig.single({ ...content, qos: { deliverForm: deliverFrom }, msisdn: phone });
    const sentence = 'qos.deliverForm: unknown, did you mean deliverFrom?';
    expect(headers['x-error']).toBe(`REQUEST_INVALID; ${sentence}`);
  });

  test('is counted in the minute of that time, whose refusal names it and no time to wait', async () => {
    const partner = { partnerId: 'bars', offerIds: [], limits: { pushesPerMinute: 3 } };
    const send = (body: object) => rig.bulk(body, { partner });
    expect((await send({ ...scheduled, msisdn: numbers(3) })).status).toBe(200);
    expect((await send({ ...content, msisdn: numbers(3) })).status).toBe(200);
    const full = await send({ ...scheduled, msisdn: [phone] });
    const sentence =
      'msisdn: the limit of 3 recipients a minute is reached for the minute of qos.deliverFrom, 2026-05-20T12:10Z; choose another minute';
    expect(full).toMatchObject(refusal(503, 'RATE_LIMIT_EXCEEDED', sentence));
    const single = await rig.single({ ...scheduled, msisdn: phone }, { partner });
    expect(single).toMatchObject({ status: 429, body: '' });
    for (const { headers } of [full, single]) expect(headers['retry-after']).toBeUndefined();
    const next = { ...content, qos: { deliverFrom: '2026-05-20T12:11:00Z' }, msisdn: [phone] };
    expect((await send(next)).status).toBe(200);
  });
});

const sendId = '5d3b7a0e-0000-4000-8000-000000000001';
function save(acceptedAt: number, deliverFrom = from) {
  return saveTimes(
    rig.table,
    { sendId, partnerId: 'bars', acceptedAt },
    [{ msisdn: phone, registered: true }],
    [{ ...content, pushType: 'PROMO', qos: { deliverFrom: new Date(deliverFrom).toISOString() } }],
  );
}

test('rule 54: a request that died before it stored its send, and is repeated just before the time, is waited for as long as a new one', async () => {
  await save(noon);
  await save(from - 1_000);
  rig.clock.set(from + 20_000);
  await rig.handlers.advance({ Records: [sqsRecord({ sendIds: [sendId] })] });
  expect(await rig.dueRows()).toMatchObject([{ acceptedAt: from - 1_000 }]);
  rig.clock.set(from + 400_000);
  await rig.handlers.advance({ Records: [sqsRecord({ sendIds: [sendId] })] });
  expect(await rig.dueRows()).toEqual([]);
});

test('rule 54: a request that died before it stored its send, and is repeated just before the time, keeps what is due of it, though a worker has just given up the first try', async () => {
  const deadlines = deadlineStore(rig.table);
  await save(noon);
  const [first] = await deadlines.find([sendId]);
  await save(from - 1_000);
  await deadlines.moveOn(first as Deadline, { at: undefined });
  expect(await rig.dueRows()).toMatchObject([{ acceptedAt: from - 1_000 }]);
});

test('rule 54: a request that died before it stored its send, and is repeated just before the time, keeps the earliest time that its tries have saved, and brings back nothing that is being taken back', async () => {
  for (const dueAt of [2_000, 3_000, 1_000, 2_000]) await save(noon, dueAt);
  const [row] = await rig.dueRows();
  expect(row).toMatchObject({ dueAt: 1_000 });
  const takenBack = { ...deadlineKey(sendId), ...row, cancelRequestId: 'request' };
  await putRow(rig.table, takenBack);
  await save(noon, 1_000);
  expect(await rig.dueRows()).toEqual([takenBack]);
});
