import { describe, expect, test } from 'vitest';
import { noon } from '../../support/clock.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { sqsRecord } from '../../support/queue.ts';
import { streamRecord } from '../../support/stream-record.ts';
import { content, deliverFrom, from, numbers, other, phone, pushRig, scheduled } from './push-rig.ts';

const rig = inEachTest(() => pushRig(phone, other, ...numbers(2)));

/** Lets the schedule and the worker do what they do until `untilMs`, every 20 s. */
async function runUntil(untilMs: number): Promise<void> {
  for (let at = rig.clock.now(); at < untilMs; at += 20_000) {
    rig.clock.set(Math.min(at + 20_000, untilMs));
    await rig.endPassed();
  }
}

describe('rule 54: a scheduled send', () => {
  test('is released between 5 s and 20 s after its time, and its history says so', async () => {
    const lines = collectLines();
    const single = await rig.sent.single(phone, scheduled);
    const bulk = await rig.sent.bulk([phone, other], scheduled);
    expect(lines).toMatchObject([
      { isScheduled: true, registered: true },
      { isScheduled: true, registered: 2, isNew: true },
    ]);
    await runUntil(from);
    rig.clock.set(from + 4_999);
    await rig.work();
    const released = async () => (await rig.heads()).map(({ releasedAt }) => releasedAt);
    expect(await released()).toEqual([undefined, undefined]);
    expect(await rig.statesOf(single)).toEqual(['SCHEDULED 15:00:00']);
    rig.clock.set(from + 10_000);
    await rig.work();
    expect(await released()).toEqual([from + 10_000, from + 10_000]);
    for (const { messageId } of [single, ...bulk])
      expect(await rig.statesOf(messageId)).toEqual(['SCHEDULED 15:00:00', 'ENQUEUED 15:10:10']);
    const outgoing = await rig.outgoing();
    expect(outgoing.flatMap(({ messages }) => messages)).toHaveLength(3);
    expect(outgoing[0]).toMatchObject({
      acceptedAt: '2026-05-20T12:00:00.000Z',
      releasedAt: '2026-05-20T12:10:10.000Z',
      qos: { deliverFrom },
    });
    expect(await rig.dueRows()).toEqual([]);
  });

  test('is released once, whoever hears of it how often, and whatever is lost', async () => {
    await rig.register(...numbers(3));
    const sent = await rig.sent.bulk(numbers(3), scheduled);
    const [before] = await rig.heads();
    const message = sqsRecord({ sendIds: [sent[0]?.messageId.slice(0, -4)] });
    rig.clock.set(from + 5_000);
    // The worker dies between the release and the row that says what is due.
    const dies = failingCommand(rig.table.client, 'DeleteItemCommand');
    expect((await rig.handlers.advance({ Records: [message] })).batchItemFailures).toHaveLength(1);
    dies.remove();
    const [released] = await rig.heads();
    expect(released).toMatchObject({ releasedAt: from + 5_000, toDispatch: 'yes' });
    rig.clock.advance(60_000);
    await Promise.all([1, 2, 3].map(() => rig.handlers.advance({ Records: [message, message] })));
    expect(await rig.heads()).toEqual([released]);
    expect(await rig.dueRows()).toEqual([]);
    // The stream shows the release, and later changes of the row, which have the marker before and after.
    const later = { ...released, cancelledAt: from + 70_000 };
    await rig.handlers.dispatch({ Records: [streamRecord(released, before), streamRecord(later, released)] });
    expect(await rig.outbox.drain()).toHaveLength(1);
  });

  // An earlier try may have stored as registered who is not registered now.
  test('has the first deadline of its messages due after the release, also of who is not registered', async () => {
    const due = ['2026-05-20T12:30:00Z', '2026-05-20T12:20:00Z', '2026-05-20T12:15:00Z'];
    const messages = due.map((deliverDue, n) => ({
      ...content,
      qos: { deliverFrom, deliverDue },
      msisdn: numbers(3)[n],
    }));
    await rig.sent.multi(messages);
    expect(await rig.dueRows()).toMatchObject([{ dueAt: from, thenAt: Date.parse('2026-05-20T12:15:00Z') }]);
    await runUntil(from + 60_000);
    expect(await rig.dueRows()).toMatchObject([{ dueAt: Date.parse('2026-05-20T12:15:00Z') }]);
  });

  test('takes times of receipts from the release on, and parks a receipt from before it', async () => {
    const { messageId } = await rig.sent.single(phone, scheduled);
    const receipts = [{ messageId, msisdn: phone, state: 'DELIVERED', time: '2026-05-20T12:05:00Z' }];
    await rig.receive({ receipts });
    expect(await rig.parked()).toEqual([
      'receipts[0]: the message was not handed over, it is scheduled or cancelled',
    ]);
    await runUntil(from + 20_000);
    await rig.receive({ receipts });
    expect(await rig.statesOf(messageId)).toEqual([
      'SCHEDULED 15:00:00',
      'ENQUEUED 15:10:20',
      'DELIVERED 15:10:20',
    ]);
  });

  test('is listed with its time, reported as scheduled, and kept for 30 days after its time', async () => {
    const qos = { deliverFrom: '2026-05-27T12:00:00Z' };
    const sent = await rig.sent.bulk(numbers(3), { ...content, qos });
    const messageId = sent[0]?.messageId ?? '';
    const shown = { messageId, recipients: 3, deliverFrom: '2026-05-27T12:00:00.000Z' };
    expect((await rig.sends()).body).toMatchObject({ sends: [shown] });
    const report = (await rig.report(messageId)).body;
    expect(report).toMatchObject({ ...shown, notRegistered: 1, scheduled: 2, enqueued: 0, byHour: [] });
    await runUntil(noon + 20_000);
    const week = 7 * 86_400_000;
    rig.clock.set(noon + week + 60_000);
    await rig.endPassed();
    expect((await rig.report(messageId)).body).toMatchObject({ scheduled: 0, enqueued: 2 });
    rig.clock.set(noon + week + 30 * 86_400_000 - 1);
    expect(await rig.history(messageId)).toMatchObject({ status: 200 });
    expect((await rig.sends()).body).toMatchObject({ sends: [shown] });
    expect(await rig.report(messageId)).toMatchObject({ status: 200 });
    rig.clock.advance(1);
    expect(await rig.history(messageId)).toMatchObject({ status: 404 });
    expect((await rig.sends()).body).toEqual({ sends: [] });
    expect(await rig.report(messageId)).toMatchObject({ status: 404 });
  });
});

test('rule 54: the sweep looks 90 s ahead, and delays each message to 10 s after its time, a second look to 20 s', async () => {
  await rig.sent.single(phone, scheduled);
  const delaysAt = async (atMs: number) => {
    rig.clock.set(atMs);
    const before = rig.deadlinesQueue.delays.length;
    await rig.sweep();
    return rig.deadlinesQueue.delays.slice(before);
  };
  expect(await delaysAt(from - 90_001)).toEqual([]);
  expect(await delaysAt(from - 90_000)).toEqual([100]);
  expect(await delaysAt(from - 30_001)).toEqual([41]);
  expect(await delaysAt(from - 30_000)).toEqual([50]);
  expect(await delaysAt(from)).toEqual([20]);
  expect(await delaysAt(from + 20_000)).toEqual([0]);
  expect(await delaysAt(from + 3_600_000)).toEqual([0]);
});
