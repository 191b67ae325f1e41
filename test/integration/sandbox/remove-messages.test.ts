import { expect, test } from 'vitest';
import { historyTime } from '../../../shared/push/history.ts';
import { noon } from '../../support/clock.ts';
import { bars } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import type { Sent } from '../push/push-rig.ts';
import { number, sandboxRig } from './sandbox-rig.ts';

const opensByItself = 79_999_990_005;
const letsDeadlinesPass = 79_999_990_007;
const others = [79_001_234_568, 79_001_234_569, 79_999_990_008];

/** The simulated wallet platform with a phone of bars, and numbers of which one opens a message before it is taken back. */
const rig = inEachTest(async () => {
  const sandbox = await sandboxRig(0);
  await sandbox.put();
  await sandbox.register(...others);
  return sandbox;
});

function send(): Promise<Sent[]> {
  return rig.send([number, ...others]);
}

test('rule 54: what is taken back disappears from phones and is CANCELLED, but for what was opened just before', async () => {
  const sent = await send();
  const [own] = sent as [Sent];
  await rig.arrive();
  expect(await rig.shownOn()).toEqual([own.messageId]);
  await rig.cancel(own.messageId, 'send');
  await rig.work();
  const lines = collectLines();
  await rig.takeBack();
  expect(lines).toMatchObject([{ asked: 4, removed: 3, opened: 1 }]);
  expect(await rig.shownOn()).toEqual([]);
  expect((await rig.open(number, bars, own.messageId)).status).toBe(404);
  await rig.reportDue();
  expect(await rig.reached(...sent)).toEqual([
    'ENQUEUED,CANCELLED',
    'ENQUEUED,CANCELLED',
    'ENQUEUED,CANCELLED',
    'ENQUEUED,DELIVERED,OPENED',
  ]);
});

test('rule 54: a message that its owner had opened on the phone stays there', async () => {
  const [own] = (await send()) as [Sent];
  await rig.arrive();
  rig.clock.advance(1_000);
  await rig.open(number, bars, own.messageId);
  await rig.cancel(own.messageId, 'message');
  await rig.takeBack();
  await rig.reportDue();
  expect(await rig.shownOn()).toEqual([own.messageId]);
  expect((await rig.reached(own))[0]).not.toContain('CANCELLED');
});

test('rule 54: a message that a phone had opened by itself is OPENED, though its receipt comes after the cancellation', async () => {
  await rig.put(opensByItself);
  const [own] = (await rig.send(opensByItself)) as [Sent];
  await rig.arrive();
  rig.clock.advance(1_000);
  await rig.cancel(own.messageId, 'message');
  await rig.takeBack();
  await rig.reportDue();
  expect(await rig.shownOn(opensByItself)).toEqual([own.messageId]);
  expect(await rig.reached(own)).toEqual(['ENQUEUED,OPENED']);
  const { states } = (await rig.history(own)).body as { states: unknown[] };
  expect(states).toMatchObject([{}, { state: 'OPENED', time: historyTime(noon) }]);
});

test('rule 54: a message that was taken from a phone before it opened by itself stays CANCELLED, however often it is taken back', async () => {
  const slow = await sandboxRig(5);
  await slow.put(opensByItself);
  const [own] = (await slow.send(opensByItself)) as [Sent];
  await slow.arrive();
  slow.clock.advance(6_000);
  for (let times = 0; times < 2; times++) {
    await slow.cancel(own.messageId, 'message');
    await slow.takeBack();
    slow.clock.advance(60_000);
  }
  await slow.reportDue();
  expect(await slow.reached(own)).toEqual(['ENQUEUED,CANCELLED']);
});

test('rule 54: a message that comes within 24 hours after its cancellation is not shown', async () => {
  const sent = await send();
  const [own, other] = sent as [Sent, Sent];
  await rig.cancel(own.messageId, 'message');
  await rig.cancel(other.messageId, 'message');
  await rig.takeBack();
  const removed = (await rig.table.rows()).filter(({ positions }) => positions !== undefined);
  expect(removed).toMatchObject([{ expiresAt: rig.clock.now() / 1_000 + 18 * 24 * 3_600 }]);
  rig.clock.advance(24 * 3_600_000 - 1);
  await rig.arrive();
  expect(await rig.shownOn()).toEqual([]);
  await rig.reportDue();
  expect((await rig.reached(own, other)).map((line) => line.includes('OPENED'))).toEqual([false, false]);
  expect(await rig.reached(own, other)).toEqual(['ENQUEUED,CANCELLED', 'ENQUEUED,CANCELLED']);
});

test.each([
  [-1, 'ENQUEUED,CANCELLED'],
  [0, 'ENQUEUED'],
])(
  'rule 42: a message that reached no phone, taken back %d ms after its deadline, has %s',
  async (afterMs, states) => {
    const deadline = noon + 4_000;
    await rig.register(letsDeadlinesPass);
    const qos = { deliverDue: new Date(deadline).toISOString() };
    const [sent] = (await rig.send(letsDeadlinesPass, bars, { qos })) as [Sent];
    await rig.arrive();
    rig.clock.set(deadline + afterMs);
    await rig.cancel(sent.messageId, 'message');
    await rig.takeBack();
    await rig.reportDue();
    expect(await rig.reached(sent)).toEqual([states]);
  },
);

test('rule 54: a message that a phone shows is taken back at its deadline too, though its receipt is under way', async () => {
  const qos = { deliverDue: new Date(noon + 4_000).toISOString() };
  const [own] = (await rig.send(number, bars, { qos })) as [Sent];
  rig.clock.set(noon + 3_000);
  await rig.arrive();
  expect(await rig.shownOn()).toEqual([own.messageId]);
  rig.clock.set(noon + 4_000);
  await rig.cancel(own.messageId, 'message');
  await rig.takeBack();
  expect(await rig.shownOn()).toEqual([]);
  await rig.reportDue();
  expect(await rig.reached(own)).toEqual(['ENQUEUED,CANCELLED']);
});
