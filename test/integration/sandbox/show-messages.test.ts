import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { showMessages } from '../../../functions/sandbox/show-messages.ts';
import { bulkIdFrom, bulkMessageId } from '../../../shared/push/message-id.ts';
import type { Receipt } from '../../../shared/push/receipt.ts';
import { recipientStore } from '../../../shared/push/recipient-store.ts';
import { phoneStore } from '../../../shared/sandbox/phone-store.ts';
import { removedStore } from '../../../shared/sandbox/removed-store.ts';
import { fakeClock } from '../../support/clock.ts';
import { clockedQueue } from '../../support/clocked-queue.ts';
import { sqsRecord } from '../../support/queue.ts';
import { newTable } from '../../support/table.ts';

async function rig() {
  const clock = fakeClock();
  const queue = clockedQueue(clock, { delaying: false });
  const table = await newTable();
  const phones = phoneStore(table);
  const recipients = recipientStore(table);
  const stores = { phones, recipients, removed: removedStore(table) };
  const handler = showMessages({ ...stores, queue, clock, delaySeconds: 2 });
  const show = (...messages: unknown[]) => handler({ Records: messages.map(sqsRecord) });
  return { show, queue, clock, phones, recipients };
}

function outbox(...msisdns: number[]) {
  const bulkId = bulkIdFrom(randomUUID());
  return {
    partnerId: 'bars',
    acceptedAt: '2026-05-20T12:00:00.000Z',
    pushType: 'SERVICE',
    payload: { title: 'Стол готов', message: 'Ждём вас' },
    messages: msisdns.map((msisdn, n) => ({ messageId: bulkMessageId(bulkId, n), msisdn })),
  };
}

type Reported = { hasLeft?: boolean; deliverDue?: string };

/** Returns lines such as `+2 s DELIVERED, as of +2 s`: the delay, the state and its time. */
async function reportsOf(msisdn: number, { hasLeft = false, deliverDue }: Reported = {}) {
  const { show, queue, clock, recipients } = await rig();
  if (!hasLeft) await recipients.update({ registered: [msisdn], unregistered: [] });
  const qos = deliverDue === undefined ? {} : { qos: { deliverDue } };
  expect(await show({ ...outbox(msisdn), ...qos })).toEqual({ batchItemFailures: [] });
  return queue.arrived().flatMap(({ body }, n) =>
    (JSON.parse(body) as { receipts: Receipt[] }).receipts.map(({ state, time }) => {
      const atSeconds = (Date.parse(time) - clock.now()) / 1_000;
      return `+${queue.delays[n]} s ${state}, as of +${atSeconds} s`;
    }),
  );
}

const shownAndOpened = '+2 s DELIVERED, as of +2 s; +4 s OPENED, as of +4 s';
const aDay = { deliverDue: '2026-05-21T12:00:00Z' };

test.each<[what: string, msisdn: number, reports: string, more?: Reported]>([
  ['usually delivered, then opened', 79_001_234_567, shownAndOpened],
  ['...0007 void from its deadline on', 79_999_990_007, '', aDay],
  ['not delivered to a number that has left since', 79_001_234_567, '', { hasLeft: true }],
])('rule 39: a message is %s', async (_what, msisdn, reports, more) => {
  expect((await reportsOf(msisdn, more)).join('; ')).toBe(reports);
});

test('a message stands on a phone once, also when the queue brings it twice', async () => {
  const { show, phones, clock } = await rig();
  await phones.add('bars', 79_001_234_567, clock.now());
  const message = outbox(79_001_234_567);
  await show(message);
  clock.advance(3_000);
  await show(message);
  const shown = await phones.shown('bars', 79_001_234_567, clock.now());
  expect(shown).toMatchObject([{ deliveredAt: clock.now() - 1_000, content: { payload: message.payload } }]);
});
