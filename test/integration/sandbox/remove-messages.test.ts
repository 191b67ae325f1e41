import { expect, test } from 'vitest';
import { getPhone } from '../../../functions/sandbox/get-phone.ts';
import { openPhoneMessage } from '../../../functions/sandbox/open-phone-message.ts';
import { removeMessages } from '../../../functions/sandbox/remove-messages.ts';
import { reportReceipts } from '../../../functions/sandbox/report-receipts.ts';
import { showMessages } from '../../../functions/sandbox/show-messages.ts';
import { phoneStore } from '../../../shared/sandbox/phone-store.ts';
import { removedStore } from '../../../shared/sandbox/removed-store.ts';
import { bars, call } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { newQueue, sqsRecord } from '../../support/queue.ts';
import { pushRig, type Sent } from '../push/push-rig.ts';

const mine = 79_001_234_567;
const others = [79_001_234_568, 79_001_234_569];
const opensBefore = 79_999_990_008;

/** Sets up the simulated wallet platform around the functions of pushes. */
async function walletRig() {
  const push = await pushRig();
  const { table, clock } = push;
  const phones = phoneStore(table);
  const receipts = await newQueue();
  const reports = await newQueue();
  const deps = { ...push.deps, phones, removed: removedStore(table), queue: receipts };
  const show = showMessages({ ...deps, queue: reports, delaySeconds: 0 });
  const remove = removeMessages(deps);
  const report = reportReceipts(deps);
  await phones.add('bars', mine, clock.now());
  await push.register(mine, ...others, opensBefore);
  const path = { msisdn: String(mine) };
  return {
    ...push,
    send: () => push.sent.bulk([mine, ...others, opensBefore]),
    arrive: async () => {
      await push.dispatch();
      return show({ Records: await push.outbox.drain() });
    },
    takeBack: async () => remove({ Records: await push.cancellations.drain() }),
    reportDue: async () => {
      await report({ Records: await reports.drain() });
      await push.handlers.receipts({ Records: (await receipts.drain()).map(({ body }) => sqsRecord(body)) });
    },
    onPhone: async () => {
      const { body } = await call(getPhone(deps), { method: 'GET', partner: bars, path });
      return (body as { messages: { messageId: string }[] }).messages.map(({ messageId }) => messageId);
    },
    open: (messageId: string) =>
      call(openPhoneMessage(deps), { partner: bars, path: { ...path, messageId } }),
  };
}

const rig = inEachTest(walletRig);

test('rule 54: what is taken back disappears from phones and is CANCELLED, but for what was opened just before', async () => {
  const sent = await rig.send();
  const [own] = sent as [Sent];
  await rig.arrive();
  expect(await rig.onPhone()).toEqual([own.messageId]);
  await rig.cancel(own.messageId, 'send');
  await rig.work();
  const lines = collectLines();
  await rig.takeBack();
  expect(lines).toMatchObject([{ asked: 4, removed: 3, opened: 1 }]);
  expect(await rig.onPhone()).toEqual([]);
  expect((await rig.open(own.messageId)).status).toBe(404);
  await rig.reportDue();
  expect(await rig.reached(...sent)).toEqual([
    'ENQUEUED,CANCELLED',
    'ENQUEUED,CANCELLED',
    'ENQUEUED,CANCELLED',
    'ENQUEUED,DELIVERED,OPENED',
  ]);
});

test('rule 54: a message that its owner had opened on the phone stays there', async () => {
  const [own] = (await rig.send()) as [Sent];
  await rig.arrive();
  rig.clock.advance(1_000);
  await rig.open(own.messageId);
  await rig.cancel(own.messageId, 'message');
  await rig.takeBack();
  await rig.reportDue();
  expect(await rig.onPhone()).toEqual([own.messageId]);
  expect((await rig.reached(own))[0]).not.toContain('CANCELLED');
});

test('rule 54: a message that comes within 24 hours after its cancellation is not shown', async () => {
  const sent = await rig.send();
  const [own, other] = sent as [Sent, Sent];
  await rig.cancel(own.messageId, 'message');
  await rig.cancel(other.messageId, 'message');
  await rig.takeBack();
  const removed = (await rig.table.rows()).filter(({ positions }) => positions !== undefined);
  expect(removed).toMatchObject([{ expiresAt: rig.clock.now() / 1_000 + 18 * 24 * 3_600 }]);
  rig.clock.advance(24 * 3_600_000 - 1);
  await rig.arrive();
  expect(await rig.onPhone()).toEqual([]);
  await rig.reportDue();
  expect((await rig.reached(own, other)).map((line) => line.includes('OPENED'))).toEqual([false, false]);
  expect(await rig.reached(own, other)).toEqual(['ENQUEUED,CANCELLED', 'ENQUEUED,CANCELLED']);
});
