import { describe, expect, test } from 'vitest';
import { noon } from '../../support/clock.ts';
import { invalid } from '../../support/http.ts';
import { collectLines } from '../../support/log-lines.ts';
import { away, cancelFixture } from './cancel-rig.ts';
import { content, from, scheduled } from './push-rig.ts';

const { cancelled, release, rig, send, single } = cancelFixture();

test('rule 54: POST /push/{messageId}/cancel needs `of`, and the id of a message', async () => {
  const { messageId } = await send(2);
  const sentence = 'of: required, one of message, send';
  expect(await rig.cancel(messageId, undefined)).toMatchObject(invalid(sentence));
  for (const of of ['message', 'send'])
    for (const id of ['no-id', `${messageId.slice(0, -4)}0002`])
      expect((await rig.cancel(id, of)).body).toMatchObject({ status: 'MESSAGE_NOT_FOUND' });
});

test('rule 54: of a send that is not kept any more, nothing is taken back, although its last messages are', async () => {
  const deliverDue = new Date(rig.clock.now() + 30 * 24 * 3_600_000 - 1_000).toISOString();
  const { messageId } = await send(2, { ...content, qos: { deliverDue } });
  rig.clock.advance(30 * 24 * 3_600_000 + 1_000);
  expect((await rig.cancel(messageId, 'message')).status).toBe(200);
  expect((await rig.cancel(messageId, 'send')).status).toBe(404);
});

describe('rule 54: before its release', () => {
  test('a single message is cancelled at once, for good, and a repeat answers the same', async () => {
    const sent = await single(scheduled);
    const { messageId } = sent;
    rig.clock.advance(1_500);
    for (const of of ['message', 'send', 'message'] as const)
      expect(await cancelled(sent, of)).toEqual({ messageId, of, recipients: 1 });
    expect(await rig.statesOf(messageId)).toEqual(['SCHEDULED 15:00:00', 'CANCELLED 15:00:01']);
    await release();
    expect([await rig.handedOver(), await rig.askedBack(), await rig.dueRows()]).toEqual([[], [], []]);
    expect(await rig.reached(sent)).toEqual(['SCHEDULED,CANCELLED']);
    expect((await rig.report(messageId)).body).toMatchObject({ scheduled: 0, cancelled: 1 });
  });

  test('a whole send is cancelled at once, and its messages become CANCELLED by the worker', async () => {
    const { sent } = await send(3, scheduled, 2);
    const { messageId = '' } = sent[1] ?? {};
    rig.clock.advance(1_500);
    for (const _repeat of [1, 2]) {
      expect(await cancelled(messageId, 'send')).toEqual({ messageId, of: 'send', recipients: 2 });
      rig.clock.advance(60_000);
    }
    expect(await rig.work()).toHaveLength(1);
    const states = ['SCHEDULED,CANCELLED', 'SCHEDULED,CANCELLED', 'MSISDN_NOT_REGISTERED'];
    expect(await rig.reached(...sent)).toEqual(states);
    const times = { deliverFrom: '2026-05-20T12:10:00.000Z', cancelledAt: '2026-05-20T12:00:01.500Z' };
    expect((await rig.sends()).body).toMatchObject({ sends: [times] });
    expect(await rig.dueRows()).toEqual([]);
    await release();
    expect(await rig.handedOver()).toEqual([]);
    const counts = { notRegistered: 1, scheduled: 0, cancelled: 2 };
    expect((await rig.report(messageId)).body).toMatchObject({ ...times, ...counts });
  });

  test('a request whose queue does not respond succeeds, because the sweep finds the send', async () => {
    const { messageId } = await send(2, scheduled);
    Object.assign(rig.deadlinesQueue.client, away);
    const lines = collectLines();
    expect((await rig.cancel(messageId, 'send')).status).toBe(200);
    expect(lines).toMatchObject([{ messageId, of: 'send', recipients: 2, waitsForSweep: 'NotAllSent' }]);
    expect(await rig.dueRows()).toMatchObject([{ dueAt: noon, cancelRequestId: expect.any(String) }]);
  });

  test('one message of a send is left out when the others are handed over', async () => {
    const { sent } = await send(45, scheduled);
    const taken = [sent[3]?.messageId ?? '', sent[44]?.messageId ?? ''];
    for (const messageId of [...taken, ...taken])
      expect(await cancelled(messageId, 'message')).toEqual({ messageId, of: 'message', recipients: 1 });
    expect((await rig.report(taken[0] ?? '')).body).toMatchObject({ scheduled: 43, cancelled: 2 });
    const events = (await rig.table.rows()).filter(({ kind }) => kind === 'send.cancelled');
    expect(events).toHaveLength(2);
    await release();
    const others = sent.map(({ messageId }) => messageId).filter((id) => !taken.includes(id));
    expect((await rig.handedOver()).sort()).toEqual(others.sort());
    expect(await rig.reached(sent[3], sent[4])).toEqual(['SCHEDULED,CANCELLED', 'SCHEDULED,ENQUEUED']);
    expect(await rig.askedBack()).toEqual([]);
  });

  test('a message of a send that is taken back between its time and the release was cancelled at its time', async () => {
    const { sent } = await send(2, scheduled);
    rig.clock.set(from + 3_000);
    await cancelled(sent[0], 'message');
    await release();
    expect(await rig.handedOver()).toEqual([sent[1]?.messageId]);
    expect(await rig.statesOf(sent[0])).toEqual(['SCHEDULED 15:00:00', 'CANCELLED 15:10:00']);
  });

  test('a message whose number is not registered is no recipient', async () => {
    const { sent } = await send(2, scheduled, 1);
    expect(await cancelled(sent[1], 'message')).toMatchObject({ recipients: 0 });
    expect(await rig.reached(sent[1])).toEqual(['MSISDN_NOT_REGISTERED']);
  });

  test('is not before the acceptance, though the clock of its instance is behind', async () => {
    const sent = await single(scheduled);
    rig.clock.advance(-3_000);
    await cancelled(sent, 'message');
    expect((await rig.statesOf(sent)).at(-1)).toBe('CANCELLED 15:00:00');
  });
});
