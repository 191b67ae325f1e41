import { describe, expect, test } from 'vitest';
import type { RowKey } from '../../../shared/platform/table/row-keys/row-key.ts';
import { putRow } from '../../../shared/platform/table/rows.ts';
import { away, cancelFixture, due } from './cancel-rig.ts';
import { content, from, numbers, type Sent, scheduled } from './push-rig.ts';

const { cancelled, release, rig, send, single } = cancelFixture();

describe('rule 54: what was handed over', () => {
  test('is asked back from the wallet platform, but for what was opened, and ends by its receipt', async () => {
    const { sent, messageId } = await send(4, content, 3);
    const [opened, delivered, enqueued] = sent;
    await rig.handedOver();
    await rig.reports([opened, delivered], 'DELIVERED', '2026-05-20T12:00:03Z');
    await rig.reports([opened], 'OPENED', '2026-05-20T12:00:05Z');
    rig.clock.advance(10_000);
    const requestId = 'the request to cancel';
    expect((await rig.cancel(messageId, 'send', { requestId })).body).toMatchObject({ recipients: 3 });
    await rig.work();
    const messageIds = [delivered?.messageId, enqueued?.messageId];
    expect(await rig.askedBack()).toEqual([{ partnerId: 'bars', requestId, messageIds }]);
    expect(await rig.dueRows()).toEqual([]);
    expect(await rig.reached(opened, delivered, enqueued)).toEqual([
      'ENQUEUED,DELIVERED,OPENED',
      'ENQUEUED,DELIVERED',
      'ENQUEUED',
    ]);
    await rig.reports([delivered, enqueued, enqueued], 'CANCELLED', '2026-05-20T12:00:12Z');
    const ended = ['ENQUEUED,DELIVERED,CANCELLED', 'ENQUEUED,CANCELLED'];
    expect(await rig.reached(delivered, enqueued)).toEqual(ended);
    expect((await rig.report(messageId)).body).toMatchObject({
      cancelledAt: '2026-05-20T12:00:10.000Z',
      ...{ enqueued: 0, delivered: 0, opened: 1, cancelled: 2, notRegistered: 1 },
    });
    // Asked once: a repeat answers the same, and asks nothing back again.
    expect(await cancelled(messageId, 'send')).toMatchObject({ recipients: 3 });
    expect(await rig.work()).toEqual([]);
  });

  test('is asked back message by message too, each time as long as it is not opened, cancelled or asked back with its send', async () => {
    const [, second] = (await send(2)).sent;
    const one = await single();
    for (const { messageId } of [second as Sent, second as Sent, one, one])
      expect(await cancelled(messageId, 'message')).toEqual({ messageId, of: 'message', recipients: 1 });
    expect((await rig.askedBack()).map(({ messageIds }) => messageIds)).toEqual(
      [second, second, one, one].map((message) => [message?.messageId]),
    );
    await rig.reports([one], 'OPENED', '2026-05-20T12:00:05Z');
    expect(await cancelled(one, 'send')).toMatchObject({ recipients: 1 });
    const another = await single();
    await rig.reports([another], 'CANCELLED', '2026-05-20T12:00:05Z');
    await cancelled(another, 'message');
    const { messageId } = await send(2);
    await cancelled(messageId, 'send');
    expect(await cancelled(messageId, 'message')).toMatchObject({ recipients: 1 });
    expect(await rig.askedBack()).toEqual([]);
  });

  test('counts the recipients of a send that an earlier version stored without their number', async () => {
    const { messageId } = await send(3, content, 2);
    const [head] = await rig.heads();
    const { registeredCount: _lacks, ...earlier } = head ?? {};
    await putRow(rig.table, earlier as RowKey);
    expect(await cancelled(messageId, 'send')).toMatchObject({ recipients: 2 });
  });

  test('is not answered with 200 if the queue did not take the request', async () => {
    const one = await single();
    Object.assign(rig.cancellations.client, away);
    expect((await rig.cancel(one.messageId, 'message')).status).toBe(500);
  });

  test('is asked back in batches of 1,000 ids', async () => {
    const { sent, messageId } = await send(2_100);
    await cancelled(messageId, 'send');
    await rig.work();
    const asked = (await rig.askedBack()).map(({ messageIds }) => messageIds);
    expect(asked.map(({ length }) => length).sort()).toEqual([100, 1_000, 1_000]);
    expect(asked.flat().sort()).toEqual(sent.map((one) => one.messageId).sort());
  });

  test('that expired stays expired, and what was opened is recorded whenever it is reported', async () => {
    const { sent, messageId } = await send(3, due);
    const one = await single(due);
    await release();
    await cancelled(messageId, 'send');
    await rig.work();
    // A phone may show what was reported so late that it expired.
    expect((await rig.askedBack())[0]?.messageIds).toHaveLength(3);
    await cancelled(one, 'message');
    expect(await rig.askedBack()).toMatchObject([{ messageIds: [one.messageId] }]);
    await rig.reports(sent, 'CANCELLED', '2026-05-20T12:10:22Z');
    await rig.reports([sent[2]], 'OPENED', '2026-05-20T12:09:00Z');
    const states = ['ENQUEUED,EXPIRED', 'ENQUEUED,EXPIRED', 'ENQUEUED,OPENED,EXPIRED'];
    expect(await rig.reached(...sent)).toEqual(states);
    expect((await rig.report(messageId)).body).toMatchObject({ expired: 2, opened: 1, cancelled: 0 });
  });

  test('is asked back by the next worker if the queue took nothing from the first one', async () => {
    const { messageId } = await send(2);
    await cancelled(messageId, 'send');
    const { client } = rig.cancellations;
    const { send: take } = client;
    Object.assign(client, away);
    await expect(rig.work()).rejects.toThrow('the worker failed');
    expect(await rig.dueRows()).toMatchObject([{ cancelRequestId: expect.any(String) }]);
    Object.assign(client, { send: take });
    rig.clock.advance(60_000);
    await rig.endPassed();
    expect((await rig.askedBack()).map(({ messageIds }) => messageIds.length)).toEqual([2]);
  });

  test('keeps the earliest deadline of the messages that no phone has reported', async () => {
    await rig.register(...numbers(3));
    const times = ['12:05', '12:20', '12:10', '12:30'];
    const sent = await rig.sent.multi(
      times.map((time, n) => {
        const qos = { deliverDue: `2026-05-20T${time}:00Z` };
        return { ...content, qos, msisdn: numbers(3)[n % 3] };
      }),
    );
    await rig.reports(sent.slice(0, 1), 'DELIVERED', '2026-05-20T12:00:03Z');
    await cancelled(sent[0], 'send');
    await rig.work();
    expect(await rig.dueRows()).toMatchObject([{ dueAt: from }]);
  });
});

test('rule 54: the report says how fast messages were delivered after their release, and when they were cancelled', async () => {
  const { sent, messageId } = await send(2, scheduled);
  await release();
  await rig.reports(sent.slice(0, 1), 'DELIVERED', '2026-05-20T12:10:25Z');
  await rig.reports(sent.slice(1), 'CANCELLED', '2026-05-20T12:13:00Z');
  expect((await rig.report(messageId)).body).toMatchObject({
    deliveredWithin: { p50Seconds: 5, p95Seconds: 5 },
    byHour: [{ hour: '2026-05-20T12:00:00.000Z', delivered: 1, opened: 0 }],
  });
  expect((await rig.csv(messageId)).body.split('\r\n')[2]).toBe(
    `79000000001,${sent[1]?.messageId},CANCELLED,2026-05-20T12:00:00Z,,,,2026-05-20T12:13:00Z`,
  );
});
