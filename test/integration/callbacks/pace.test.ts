import type { SQSEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import type { CallbackMessage } from '../../../shared/callbacks/callback-message.ts';
import type { AttemptResult } from '../../../shared/platform/egress/attempt-result.ts';
import { noon } from '../../support/clock.ts';
import { failingCommand } from '../../support/failing-command.ts';
import { collectLines } from '../../support/log-lines.ts';
import { callbacksRig } from './callbacks-rig.ts';

const ok: AttemptResult = { ok: true, httpStatus: 200, durationMs: 50 };
const failed: AttemptResult = { ok: false, error: 'status', httpStatus: 500, durationMs: 50 };
const busy: AttemptResult = { ok: false, error: 'status', httpStatus: 429, retryAfter: '60', durationMs: 50 };

function ids(count: number, prefix = 'm'): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(3, '0')}`);
}

/** Sets up an endpoint with a pace, workers that know nothing of each other, and a record of their attempts. */
async function pacedRig(maxPerSecond: number | undefined) {
  const rig = await callbacksRig();
  const setPace = (perSecond: number | undefined) =>
    rig.saveEndpoint('https://bars.example/status', { maxPerSecond: perSecond });
  await setPace(maxPerSecond);
  let answer = (_messageId: string): AttemptResult => ok;
  const { attempts, client } = rig.partnerThat(({ messageId }) => answer(messageId));
  const paced = (change: Parameters<typeof rig.newWorker>[0] = {}) => rig.newWorker({ client, ...change });
  const callBack = async (worker: ReturnType<typeof paced>, ...groups: string[][]) => {
    for (const group of groups) await rig.changeTogether(group);
    return worker({ Records: await rig.records() });
  };
  const pace = async () => (await rig.endpoints.view('bars')).pace;
  const waiting = async () => {
    const records = await rig.records();
    return records.map(({ body }) => JSON.parse(body) as Extract<CallbackMessage, { kind: 'first' }>);
  };
  /** Has a worker process messages while the clock stands still, and returns the slots of its attempts, in ms. */
  const slotsOf = async (event: SQSEvent): Promise<number[]> => {
    const slots: number[] = [];
    await paced({ sleepUntil: async (atMs) => void slots.push(atMs - noon) })(event);
    return slots.toSorted((a, b) => a - b);
  };
  /** Processes each group at noon, by a worker that knows nothing of the others. */
  const callBackAtNoon = async (...groups: string[][]) => {
    for (const group of groups) {
      rig.clock.set(noon);
      await callBack(paced(), group);
    }
    rig.clock.set(noon);
  };
  return {
    ...rig,
    setPace,
    attempts,
    times: () => attempts.map(({ atMs }) => Math.round(atMs)),
    answerWith: (next: typeof answer) => {
      answer = next;
    },
    paced,
    callBack,
    pace,
    waiting,
    slotsOf,
    callBackAtNoon,
  };
}

test('rule 44: callbacks are attempted at the pace of their endpoint, which workers share; messages of a batch share one write', async () => {
  const { paced, callBack, times, table, queue } = await pacedRig(20);
  table.units();
  await callBack(paced(), ids(4, 'a'), ids(4, 'b'), ids(4, 'c'));
  expect(table.units()).toEqual({ read: 0.5, write: 1, calls: 2 });
  expect(queue.delays).toEqual([]);
  await callBack(paced(), ids(4, 'd'));
  expect(times()).toEqual([0, 50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750]);
});

test('rule 44: without a pace nothing is written, and nothing waits', async () => {
  const { paced, callBack, times, table, queue } = await pacedRig(undefined);
  const worker = paced();
  table.units();
  await callBack(worker, ids(40));
  expect(table.units()).toEqual({ read: 0.5, write: 0, calls: 1 });
  expect(times()).toEqual(Array(40).fill(0));
  expect(queue.delays).toEqual([]);
});

test('rule 44: what finds no slot soon waits in the queue: no attempt, no row, and the worker goes on', async () => {
  const { paced, callBack, times, waiting, queue, table } = await pacedRig(1);
  const lines = collectLines();
  await callBack(paced(), ids(5, 'a'), ids(3, 'b'));
  expect(times()).toEqual([0, 1_000]);
  // The worker takes the slots of two seconds at once. Both messages return a second later, for the next slots.
  expect(queue.delays).toEqual([1, 1]);
  expect(await waiting()).toMatchObject([
    {
      callbacks: [{ messageId: 'a002' }, { messageId: 'a003' }, { messageId: 'a004' }],
      waits: { since: noon, until: noon + 2_000, perSecond: 1 },
    },
    { callbacks: [{}, {}, {}], waits: { since: noon, until: noon + 2_000, perSecond: 1 } },
  ]);
  expect((await table.rows()).filter(({ pk }) => String(pk).startsWith('CALLBACKS#'))).toEqual([]);
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
  const { paced, callBack, callBackAtNoon, times, waiting } = await pacedRig(10);
  const first = paced();
  await callBack(first, ['a']);
  await callBackAtNoon(ids(20, 'b'), ids(10, 'c'), ['later']);
  expect(times().slice(-2)).toEqual([2_900, 3_000]);
  expect(await waiting()).toMatchObject([
    { callbacks: [{ messageId: 'later' }], waits: { until: noon + 3_100 } },
  ]);
  await callBack(first, ['d']);
  expect(times()).toHaveLength(31);
  expect(await waiting()).toMatchObject([
    { callbacks: [{ messageId: 'd' }], waits: { until: noon + 3_200 } },
  ]);
});

test('rule 44: a line spreads what waits, and who comes new goes behind it', async () => {
  const { paced, callBack, waiting, clock } = await pacedRig(10);
  await callBack(paced(), ids(20, 'a'), ids(40, 'b'), ids(40, 'c'));
  await waiting();
  clock.set(noon + 2_500);
  await callBack(paced(), ids(10, 'd'));
  clock.set(noon + 2_500);
  // Twenty callbacks were attempted, and eighty are in line.
  expect(await waiting()).toMatchObject([{ waits: { until: noon + 10_000 } }]);
});

test('what returns from the line is attempted, also when it is late, and does not count in the objective', async () => {
  const { paced, callBack, times, records, clock } = await pacedRig(10);
  await callBack(paced(), ids(20, 'a'), ids(5, 'b'));
  const Records = await records();
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
  expect(await waiting()).toMatchObject([{ callbacks: [{ messageId: 'too-late' }] }]);
});

test('a retry that is too late for its slot comes again, and finds its row', async () => {
  const { paced, callBack, answerWith, records, times, row, clock } = await pacedRig(20);
  answerWith(() => failed);
  await callBack(paced(), ['m1']);
  answerWith(() => ok);
  clock.set(noon + 10_000);
  const oversleeping = paced({ sleepUntil: async (atMs) => clock.set(atMs + 101) });
  await oversleeping({ Records: await records() });
  await paced()({ Records: await records() });
  expect(times()).toEqual([0, 10_101]);
  expect(await row('m1')).toMatchObject({ status: 'delivered', tries: 2 });
});

test('when the row of the pace takes no more writes, messages come again at random times of the next 30 s', async () => {
  const { paced, callBack, records, waiting, table, times, queue } = await pacedRig(10);
  await callBack(paced(), ids(40, 'a'));
  queue.delays.splice(0);
  const Records = await records();
  const tooMany = Object.assign(new Error('too many'), { name: 'ThrottlingException' });
  const refusing = failingCommand(table.client, 'UpdateItemCommand', 1, tooMany);
  expect(await paced()({ Records })).toEqual({ batchItemFailures: [] });
  refusing.remove();
  expect(times()).toHaveLength(20);
  expect(await waiting()).toMatchObject([{ waits: { since: noon, until: noon + 1_900 + 15_000 } }]);
  expect(queue.delays).toEqual([14]);
});

test('a failed write of the pace that is not for too many writes fails the message', async () => {
  const { paced, changeTogether, records, table } = await pacedRig(10);
  await changeTogether(['m1']);
  const failing = failingCommand(table.client, 'UpdateItemCommand');
  expect((await paced()({ Records: await records() })).batchItemFailures).toHaveLength(1);
  failing.remove();
});

test('rule 44: retries keep the pace, and those of a batch share a write for it', async () => {
  const rig = await pacedRig(10);
  rig.answerWith(() => failed);
  await rig.callBack(rig.paced(), ids(4));
  rig.answerWith(() => ok);
  rig.clock.set(noon + 600_000);
  const Records = await rig.records();
  rig.table.units();
  expect(await rig.slotsOf({ Records })).toEqual([600_000, 600_100, 600_200, 600_300]);
  expect(rig.times()).toHaveLength(8);
  // Each row's claim and end take seven units, as its index entries move; the circuit and the slots take one each.
  expect(rig.table.units()).toMatchObject({ write: 30 });
});

test('behind an open circuit nothing asks for a slot: it is deferred, and comes forward at the pace', async () => {
  const rig = await pacedRig(10);
  rig.answerWith(() => busy);
  const worker = rig.paced();
  await rig.callBack(worker, ['m1']);
  rig.queue.delays.splice(0);
  const { slotsUntil } = await rig.pace();
  await rig.callBack(worker, ids(3, 'd'));
  expect(await rig.row('d000')).toMatchObject({ status: 'waiting', waitsForCircuit: true, tries: 0 });
  expect(await rig.pace()).toMatchObject({ slotsUntil });
  rig.answerWith(() => ok);
  await rig.closeCircuit();
  await rig.records();
  await rig.sweep();
  // One of the four slots is for the retry of the first callback.
  const Records = await rig.records();
  expect(await rig.slotsOf({ Records })).toEqual([10_000, 10_100, 10_200, 10_300]);
  expect(rig.times()).toHaveLength(5);
});

test('the probe of a circuit does not wait behind the line', async () => {
  const rig = await pacedRig(1);
  await rig.callBack(rig.paced(), ids(2, 'a'), ids(40, 'b'), ids(40, 'c'));
  const open = { failures: 5, openings: 1, failingSince: noon, openedAt: noon, openUntil: noon + 9_000 };
  await rig.endpoints.stepCircuit('bars', () => open, { nowMs: noon });
  await rig.records();
  rig.clock.set(noon + 10_000);
  await rig.callBack(rig.paced(), ['probe']);
  expect(rig.attempts.at(-1)).toMatchObject({ messageId: 'probe', atMs: 10_000 });
});

test.each([
  { to: 100, times: Array.from({ length: 40 }, (_, n) => 5_000 + 10 * n) },
  { to: undefined, times: Array(40).fill(5_000) },
])(
  'rule 44: a change of the pace ends the line, and what waits takes slots of the new one: $to',
  async ({ to, times }) => {
    const rig = await pacedRig(1);
    await rig.callBack(rig.paced(), ids(2, 'a'), ids(40, 'b'));
    const Records = await rig.records();
    await rig.setPace(to);
    rig.clock.set(noon + 5_000);
    await rig.paced()({ Records });
    expect(rig.times().slice(2)).toEqual(times);
  },
);

test('a worker that does not know the new pace yet makes no line that others have to wait in', async () => {
  const rig = await pacedRig(1);
  const knowsOldPace = rig.paced();
  await rig.callBack(knowsOldPace, ids(2, 'a'));
  await rig.setPace(100);
  await rig.callBack(knowsOldPace, ...Array(9).fill(ids(40, 'b')));
  const Records = await rig.records();
  rig.clock.set(noon + 6_000);
  rig.attempts.splice(0);
  await rig.callBack(rig.paced(), ['newcomer']);
  expect(rig.attempts).toMatchObject([{ messageId: 'newcomer', atMs: 6_000 }]);
  // The line starts again with the first message that has to wait at the new pace.
  await rig.paced()({ Records });
  const waits = (await rig.waiting()).map((message) => message.waits);
  expect(new Set(waits.map((place) => place?.perSecond))).toEqual(new Set([100]));
  expect(waits.map((place) => (place?.until ?? 0) - noon)).toEqual([
    7_010, 7_010, 7_410, 7_810, 8_210, 8_610, 9_010,
  ]);
});

test('what waits for an endpoint that is disabled meanwhile is skipped, also what has its place in hours', async () => {
  const rig = await pacedRig(1);
  await rig.callBack(rig.paced(), ids(2, 'a'), ['soon'], ...Array(9).fill(ids(40, 'b')), ['last']);
  const Records = (await rig.records()).filter(({ body }) => /soon|last/.test(body));
  await rig.saveEndpoint('https://bars.example/status', { maxPerSecond: 1, status: 'disabled' });
  rig.clock.set(noon + 5_000);
  await rig.paced()({ Records });
  expect(rig.times()).toHaveLength(2);
  for (const id of ['soon', 'last']) expect(await rig.row(id)).toMatchObject({ status: 'skipped', tries: 0 });
  expect(await rig.waiting()).toEqual([]);
});

test('rule 44: what the slow lane gets asks for its slot there', async () => {
  const rig = await pacedRig(10);
  const slow = { isSlow: () => true, isKnownSlow: () => true, learn: () => {} };
  await rig.callBack(rig.paced({ speed: slow }), ids(2));
  expect(await rig.pace()).toEqual({ slotsUntil: 0, lineUntil: 0 });
  await rig.paced({ lane: { name: 'slow' } })({ Records: await rig.slowRecords() });
  expect(rig.times()).toEqual([0, 100]);
});
