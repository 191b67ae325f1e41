import { expect, test } from 'vitest';
import { eraseNumber } from '../../support/erase-number.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { bakery } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { justBefore } from '../../support/intercept-calls.ts';
import { sqsRecord } from '../../support/queue.ts';
import { content, deliverFrom, from, pushRig } from './push-rig.ts';

const rig = inEachTest(() => pushRig(phone, phone + 1));

const phone = 79_000_000_000;
const deliverDue = '2026-05-20T13:00:00Z';

async function single(qos: object = { deliverFrom }): Promise<string> {
  return (await rig.sent.single(phone, { ...content, qos })).messageId;
}

/** Sends two messages, and returns their ids. */
async function bulk(qos: object = { deliverFrom }): Promise<[string, string]> {
  const sent = await rig.sent.bulk([phone, phone + 1], { ...content, qos });
  return sent.map(({ messageId }) => messageId) as [string, string];
}

/** Lets the worker do what is due of the send of a message. */
function advance(messageId: string, sendId = messageId) {
  return rig.handlers.advance({ Records: [sqsRecord({ sendIds: [sendId] })] });
}

function advanceBulk(messageId: string) {
  return advance(messageId, messageId.slice(0, -4));
}

function justBeforeA(command: string, act: () => Promise<unknown>): void {
  justBefore(rig.table.client, ({ name }) => name === command, act);
}

/** The partner's events of sends that were taken back. */
async function cancelledEvents() {
  const events = (await rig.table.rows('EVENTS#')).filter(({ kind }) => kind === 'send.cancelled');
  return events.map(({ by, at, data }) => ({ by, at, data }));
}

async function askedBack(): Promise<string[]> {
  return (await rig.askedBack()).flatMap(({ messageIds }) => messageIds);
}

test('rule 54: of two workers that release a message at once neither loses its deadline', async () => {
  const messageId = await single({ deliverFrom, deliverDue });
  rig.clock.set(from + 5_000);
  justBeforeA('UpdateItemCommand', async () => {
    await advance(messageId);
    rig.clock.advance(5_000);
  });
  expect(await advance(messageId)).toEqual({ batchItemFailures: [] });
  expect(await rig.table.rows('MSG#')).toMatchObject([{ releasedAt: from + 5_000 }]);
  expect(await rig.dueRows()).toMatchObject([{ dueAt: Date.parse(deliverDue) }]);
});

test.each([
  ['send', 2],
  ['message', 1],
] as const)(
  'rule 54: two who take a %s back at once are both answered, and the first counts',
  async (of, recipients) => {
    const [first, one] = await bulk();
    const answer = { status: 200, body: { messageId: one, of, recipients } };
    justBeforeA('TransactWriteItemsCommand', async () => {
      expect(await rig.cancel(one, of)).toMatchObject(answer);
      rig.clock.advance(5_000);
    });
    expect(await rig.cancel(one, of)).toMatchObject(answer);
    await rig.work();
    expect(await rig.statesOf(one)).toContain('CANCELLED 15:00:00');
    const data = { messageId: of === 'send' ? first : one, of };
    expect(await cancelledEvents()).toEqual([{ by: 'bars', at: rig.clock.now() - 5_000, data }]);
  },
);

test('rule 54: a send that is taken back just before its release is not released', async () => {
  const [first] = await bulk();
  const one = await single();
  rig.clock.set(from + 10_000);
  justBeforeA('UpdateItemCommand', () => rig.cancel(first, 'send'));
  await advanceBulk(first);
  justBeforeA('UpdateItemCommand', () => rig.cancel(one, 'message'));
  await advance(one);
  // Not yet done: that it is to be taken back must not get lost.
  expect(await rig.dueRows()).toMatchObject([{ cancelRequestId: expect.any(String) }]);
  await rig.work();
  expect(await rig.handedOver()).toEqual([]);
  for (const messageId of [first, one]) expect((await rig.reached(messageId))[0]).toBe('SCHEDULED,CANCELLED');
  expect(await askedBack()).toEqual([]);
  expect(await rig.dueRows()).toEqual([]);
});

test('rule 54: a send that is released just before it is taken back is asked back', async () => {
  const [first, second] = await bulk();
  const [, another] = await bulk();
  const one = await single();
  rig.clock.set(from + 10_000);
  justBeforeA('TransactWriteItemsCommand', () => advanceBulk(first));
  await rig.cancel(first, 'send');
  await rig.work();
  justBeforeA('TransactWriteItemsCommand', () => advanceBulk(another));
  await rig.cancel(another, 'message');
  justBeforeA('TransactWriteItemsCommand', () => advance(one));
  await rig.cancel(one, 'message');
  expect(await askedBack()).toEqual([first, second, another, one]);
  expect(await rig.handedOver()).toHaveLength(5);
  for (const messageId of [first, second, another, one])
    expect((await rig.reached(messageId))[0]).toBe('SCHEDULED,ENQUEUED');
  expect(await rig.dueRows()).toEqual([]);
});

test('rule 54: a message whose recipient is erased just before its release or its cancellation is gone', async () => {
  const erase = () => eraseNumber(rig.table, phone);
  const one = await single();
  rig.clock.set(from + 5_000);
  justBeforeA('UpdateItemCommand', erase);
  expect(await advance(one)).toEqual({ batchItemFailures: [] });
  rig.clock.set(from - 60_000);
  await rig.register(phone);
  const another = await single();
  justBeforeA('TransactWriteItemsCommand', erase);
  expect(await rig.cancel(another, 'message')).toMatchObject({ status: 404 });
  // Its release is still due, and finds nothing.
  rig.clock.set(from + 300_000);
  await rig.endPassed();
  expect([...(await rig.table.rows('MSG#')), ...(await rig.dueRows())]).toEqual([]);
  expect(await cancelledEvents()).toEqual([]);
});

test('rule 54: a message that is released while another worker cancels it keeps its deadline', async () => {
  const messageId = await single({ deliverFrom, deliverDue });
  await rig.setDisabled(true);
  rig.clock.set(from + 5_000);
  justBeforeA('TransactWriteItemsCommand', async () => {
    await rig.setDisabled(false);
    await advance(messageId);
  });
  await advance(messageId);
  expect((await rig.reached(messageId))[0]).toBe('SCHEDULED,ENQUEUED');
  expect(await rig.dueRows()).toMatchObject([{ dueAt: Date.parse(deliverDue) }]);
});

test('rule 54: a send that is taken back while a worker looks at its deadline is asked back', async () => {
  const [first, second] = await bulk({ deliverDue });
  rig.clock.set(Date.parse(deliverDue) + 20_000);
  justBeforeA('DeleteItemCommand', () => {
    // The clock of its instance shows the very time of the deadline, so only the request tells them apart.
    rig.clock.set(Date.parse(deliverDue));
    return rig.cancel(first, 'send');
  });
  await advanceBulk(first);
  expect(await rig.dueRows()).toMatchObject([{ cancelRequestId: expect.any(String) }]);
  await rig.work();
  expect(await askedBack()).toEqual([first, second]);
  expect(await rig.dueRows()).toEqual([]);
});

test('rule 54: what its partner takes back while a worker cancels it is cancelled once', async () => {
  const [first] = await bulk();
  await rig.setDisabled(true);
  rig.clock.set(from + 10_000);
  justBeforeA('TransactWriteItemsCommand', async () => {
    await rig.setDisabled(false);
    await rig.cancel(first, 'send');
  });
  await advanceBulk(first);
  await rig.work();
  expect((await rig.reached(first))[0]).toBe('SCHEDULED,CANCELLED');
  expect(await cancelledEvents()).toMatchObject([{ by: 'bars' }]);
  expect(await rig.dueRows()).toEqual([]);
});

test('rule 54: what a disabled partner planned is cancelled after the others are released, and stays due if half of the time is over', async () => {
  const theirs = await Promise.all(Array.from({ length: 6 }, () => single()));
  const qos = { deliverFrom };
  const sent = await rig.single({ ...content, qos, msisdn: phone }, { partner: bakery });
  const { messageId } = sent.body as { messageId: string };
  await rig.createPartner(bakery);
  await rig.setDisabled(true);
  rig.clock.set(from + 10_000);
  let leftMs = 30_000;
  justBeforeA('TransactWriteItemsCommand', async () => {
    leftMs = 10_000;
    expect(await rig.table.rows(`MSG#${messageId}`)).toMatchObject([{ releasedAt: from + 10_000 }]);
  });
  const Records = [sqsRecord({ sendIds: [...theirs, messageId] })];
  const context = { getRemainingTimeInMillis: () => leftMs };
  expect(await rig.handlers.advance({ Records }, context)).toEqual({ batchItemFailures: [] });
  expect(await rig.dueRows()).toHaveLength(5);
  await rig.handlers.advance({ Records });
  expect(await rig.dueRows()).toEqual([]);
  expect(new Set(await rig.reached(...theirs))).toEqual(new Set(['SCHEDULED,CANCELLED']));
  // Nobody's key took them back.
  expect((await cancelledEvents()).map(({ by }) => by)).toEqual(Array(6).fill(undefined));
});

test('rule 54: a worker that dies while it cancels for a disabled partner leaves the rest to one whose clock is 5 s behind', async () => {
  const [first, second] = await bulk();
  await rig.setDisabled(true);
  rig.clock.set(from + 10_000);
  const dies = failingCommand(rig.table.client, 'UpdateItemCommand');
  expect((await advanceBulk(first)).batchItemFailures).toHaveLength(1);
  dies.remove();
  await rig.setDisabled(false);
  rig.clock.set(from + 5_000);
  expect(await advanceBulk(first)).toEqual({ batchItemFailures: [] });
  for (const messageId of [first, second])
    expect(await rig.statesOf(messageId)).toEqual(['SCHEDULED 15:00:00', 'CANCELLED 15:10:10']);
  expect(await rig.handedOver()).toEqual([]);
  expect(await cancelledEvents()).toEqual([
    { by: undefined, at: from + 10_000, data: { messageId: first, of: 'send' } },
  ]);
  expect(await rig.dueRows()).toEqual([]);
});
