import { expect, test } from 'vitest';
import { noon } from '../../support/clock.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { collectLines } from '../../support/log-lines.ts';
import { noSocket, ok } from './callbacks-rig.ts';
import { failed, ids, pacedRig } from './pace-rig.ts';

test('rule 44: callbacks are attempted at the pace of their endpoint, which workers share; messages of a batch share one write', async () => {
  const { paced, callBack, times, table, queue } = await pacedRig(20);
  table.units();
  await callBack(paced(), ids(4, 'a'), ids(4, 'b'), ids(4, 'c'));
  expect(table.units()).toEqual({ read: 0.5, write: 1, calls: 2 });
  expect(queue.delays).toEqual([]);
  await callBack(paced(), ids(4, 'd'));
  expect(times()).toEqual([0, 50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750]);
});

test('rule 44: what finds no slot soon waits in the queue: no attempt, no row, and the worker goes on', async () => {
  const { paced, callBack, times, waiting, queue, table } = await pacedRig(1);
  const lines = collectLines();
  await callBack(paced(), ids(5, 'a'), ids(3, 'b'));
  expect(times()).toEqual([0, 1_000]);
  // The worker takes the slots of two seconds at once. Both messages return a second later, for the next slots.
  expect(queue.delays).toEqual([1, 1]);
  expect(waiting()).toMatchObject([
    {
      callbacks: [{ messageId: 'a002' }, { messageId: 'a003' }, { messageId: 'a004' }],
      waits: { since: noon, until: noon + 2_000, perSecond: 1 },
    },
    { callbacks: [{}, {}, {}], waits: { since: noon, until: noon + 2_000, perSecond: 1 } },
  ]);
  expect(await table.rows('CALLBACKS#')).toEqual([]);
  const waits = {
    inLine: 3,
    inLineSince: '2026-05-20T12:00:00.000Z',
    inLineUntil: '2026-05-20T12:00:02.000Z',
  };
  expect(lines).toHaveLength(2);
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining(waits),
      expect.objectContaining({ ...waits, callbacks: 2, CallbacksDelivered: 2 }),
    ]),
  );
});

test('slots of the next three seconds are given; a worker that does not know that others have them gets a place in the line', async () => {
  const { paced, callBack, clock, times, waiting } = await pacedRig(10);
  const first = paced();
  await callBack(first, ['a']);
  // The workers know nothing of each other.
  for (const group of [ids(20, 'b'), ids(10, 'c'), ['later']]) {
    clock.set(noon);
    await callBack(paced(), group);
  }
  clock.set(noon);
  expect(times().slice(-2)).toEqual([2_900, 3_000]);
  expect(waiting()).toMatchObject([{ callbacks: [{ messageId: 'later' }], waits: { until: noon + 3_100 } }]);
  await callBack(first, ['d']);
  expect(times()).toHaveLength(31);
  expect(waiting()).toMatchObject([{ callbacks: [{ messageId: 'd' }], waits: { until: noon + 3_200 } }]);
});

test('what returns from the line is attempted, also when it is late, and does not count in the objective', async () => {
  const { paced, callBack, times, records, clock } = await pacedRig(10);
  await callBack(paced(), ids(20, 'a'), ids(5, 'b'));
  const Records = records();
  const lines = collectLines();
  clock.set(noon + 60_000);
  await paced()({ Records });
  expect(times().slice(20)).toEqual([60_000, 60_100, 60_200, 60_300, 60_400]);
  expect(lines).toMatchObject([{ callbacks: 5, CallbacksDelivered: 5 }]);
  expect(lines[0]).not.toHaveProperty('FirstAttemptSeconds');
});

test('an attempt whose slot is over by more than a tenth of a second is not made: it comes again', async () => {
  const { paced, callBack, times, waiting, clock } = await pacedRig(20);
  const oversleeping = (byMs: number) =>
    paced({ sleepUntil: async (atMs) => clock.set(Math.max(clock.now(), atMs + byMs)) });
  await callBack(oversleeping(100), ['on-time']);
  await callBack(oversleeping(101), ['too-late']);
  expect(times()).toEqual([100]);
  expect(waiting()).toMatchObject([{ callbacks: [{ messageId: 'too-late' }] }]);
});

test('a retry that is too late for its slot comes again, and finds its row', async () => {
  const { paced, callBack, answerWith, records, times, row, clock } = await pacedRig(20);
  answerWith(() => failed);
  await callBack(paced(), ['m1']);
  answerWith(() => ok);
  clock.set(noon + 10_000);
  const oversleeping = paced({ sleepUntil: async (atMs) => clock.set(atMs + 101) });
  await oversleeping({ Records: records() });
  await paced()({ Records: records() });
  expect(times()).toEqual([0, 10_101]);
  expect(await row('m1')).toMatchObject({ status: 'delivered', tries: 2 });
});

test('when the row of the pace takes no more writes, messages come again at random times of the next 30 s', async () => {
  const { paced, callBack, records, waiting, table, times, queue } = await pacedRig(10);
  await callBack(paced(), ids(40, 'a'));
  queue.delays.splice(0);
  const Records = records();
  const tooMany = Object.assign(new Error('too many'), { name: 'ThrottlingException' });
  const refusing = failingCommand(table.client, 'UpdateItemCommand', 1, tooMany);
  expect(await paced()({ Records })).toEqual({ batchItemFailures: [] });
  refusing.remove();
  expect(times()).toHaveLength(20);
  expect(waiting()).toMatchObject([{ waits: { since: noon, until: noon + 1_900 + 15_000 } }]);
  expect(queue.delays).toEqual([14]);
});

test('a failed write of the pace that is not for too many writes fails the message', async () => {
  const { paced, changeTogether, records, table } = await pacedRig(10);
  await changeTogether(['m1']);
  const failing = failingCommand(table.client, 'UpdateItemCommand');
  expect((await paced()({ Records: records() })).batchItemFailures).toHaveLength(1);
  failing.remove();
});

test('what was not attempted for a reason of ours comes again beside what waits in line, each once', async () => {
  const { paced, callBack, answerWith, waiting } = await pacedRig(1);
  answerWith(() => noSocket);
  expect(await callBack(paced(), ids(3))).toEqual({ batchItemFailures: [] });
  const told = waiting().flatMap(({ callbacks }) => callbacks.map(({ messageId }) => messageId));
  expect(told.sort()).toEqual(ids(3));
});
