import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AttemptResult } from '../../../shared/platform/egress/attempt-result.ts';
import { minute } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { redelivered } from '../../support/queue.ts';
import { callbacksRig, noSocket, ok } from './callbacks-rig.ts';

const unavailable: AttemptResult = { ok: false, error: 'status', httpStatus: 503, durationMs: 50 };
const never = new Promise<AttemptResult>(() => {});

const forty = Array.from({ length: 40 }, (_, n) => `m${String(n).padStart(2, '0')}`);

type Answer = (messageId: string) => AttemptResult | Promise<AttemptResult>;

/** Sets up workers whose partner responds as the test says, and records their attempts. */
async function groupRig() {
  const rig = await callbacksRig();
  await rig.saveEndpoint('https://bars.example/status');
  const attempts: string[] = [];
  const workerThat = (answer: Answer) => {
    const { client } = rig.partnerThat(({ messageId }) => {
      attempts.push(messageId);
      return answer(messageId);
    });
    return rig.newWorker({ client });
  };
  const group = async (ids = forty) => {
    await rig.changeTogether(ids);
    return rig.records();
  };
  const told = () =>
    rig.sent().map(({ callbacks }) => callbacks.map(({ messageId }: { messageId: string }) => messageId));
  const rows = async () => (await rig.table.rows('CALLBACKS#')).map(({ sk }) => sk);
  return { ...rig, attempts, workerThat, group, told, rows };
}

const nothingFailed = { batchItemFailures: [] };

const rig = inEachTest(groupRig);

test('forty callbacks of a message are delivered side by side, and leave one line', async () => {
  let atOnce = 0;
  let most = 0;
  const worker = rig.workerThat(async (id) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await setImmediate();
    atOnce -= 1;
    return id === 'm07' ? { ...ok, durationMs: 80 } : ok;
  });
  const Records = await rig.group();
  const lines = collectLines();
  expect(await worker({ Records })).toEqual(nothingFailed);
  expect([...rig.attempts].sort()).toEqual(forty);
  expect(most).toBe(10);
  expect(lines).toMatchObject([{ partnerId: 'bars', callbacks: 40, CallbacksDelivered: 40, exchangeMs: 80 }]);
  const { delivered } = lines[0] as { delivered: string[] };
  expect([...delivered].sort()).toEqual(forty.map((id) => `${id}-DELIVERED`));
  // The metric has a value per callback, so that percentiles count callbacks and not messages.
  expect(lines[0]?.['FirstAttemptSeconds']).toEqual(Array(40).fill(0));
});

test('a callback of a group that fails becomes a row with a line of its own, and repeats none of the others', async () => {
  const Records = await rig.group();
  const lines = collectLines();
  const worker = rig.workerThat((id) => (id === 'm07' ? unavailable : ok));
  expect(await worker({ Records })).toEqual(nothingFailed);
  expect(rig.attempts).toHaveLength(40);
  expect(await rig.rows()).toEqual(['m07#DELIVERED']);
  expect(lines).toMatchObject([
    { messageId: 'm07', attempt: 1, httpStatus: 503, result: 'retry', CallbacksRetried: 1 },
    { callbacks: 40, CallbacksDelivered: 39 },
  ]);
  expect(rig.queue.delays).toEqual([5]);
  expect(rig.sent()).toMatchObject([{ kind: 'retry', messageId: 'm07' }]);
});

test.each([1, 10])(
  'a callback that gets no response holds up none of the others, in a batch of %d messages',
  async (messages) => {
    const slow = Promise.withResolvers<AttemptResult>();
    const worker = rig.workerThat(() => (rig.attempts.length === 1 ? slow.promise : ok));
    const batches = await Promise.all(Array.from({ length: messages }, () => rig.group()));
    const done = worker({ Records: batches.flat() });
    while (rig.attempts.length < 40 * messages) await setImmediate();
    slow.resolve(ok);
    expect(await done).toEqual(nothingFailed);
  },
);

test('a full batch has ten attempts under way, two of a message at most', async () => {
  const batches = await Promise.all(Array.from({ length: 10 }, () => rig.group()));
  void rig.workerThat(() => never)({ Records: batches.flat() });
  while (rig.attempts.length < 10) await setImmediate();
  for (let n = 0; n < 100; n++) await setImmediate();
  expect(rig.attempts).toHaveLength(10);
  const ofFirst = rig.attempts.filter((id) => id === 'm00');
  expect(ofFirst.length).toBeGreaterThanOrEqual(5);
});

test('after a crash only what was delivered is repeated, once, and what has a row is not', async () => {
  const sixty = Array.from({ length: 60 }, (_, n) => `m${String(n).padStart(2, '0')}`);
  const Records = await rig.group(sixty);
  // This worker dies in the middle: ten attempts wait for a response forever.
  const dying = rig.workerThat((id) => (id < 'm03' ? unavailable : id < 'm20' ? ok : never));
  void dying({ Records });
  while (rig.attempts.length < 30 || (await rig.rows()).length < 3) await setImmediate();
  await rig.workerThat(() => ok)(redelivered(Records, 2));
  const counts = Map.groupBy(rig.attempts, (id) => id);
  const times = (from: number, to: number) => sixty.slice(from, to).map((id) => counts.get(id)?.length);
  expect(times(0, 3)).toEqual([1, 1, 1]);
  // Seventeen had been delivered, and ten were in progress.
  expect(times(3, 30)).toEqual(Array(27).fill(2));
  expect(times(30, 60)).toEqual(Array(30).fill(1));
});

test.each([
  ['repeats no attempt of which there is a row', { afterMinutes: 24, attempts: ['m00', 'm01', 'm01'] }],
  [
    'is not looked up before that can have happened',
    { afterMinutes: 20, attempts: ['m00', 'm00', 'm01', 'm01'] },
  ],
])('a message that is redriven, and counted from 1 again, %s', async (_what, { afterMinutes, attempts }) => {
  const Records = await rig.group(['m00', 'm01']);
  await rig.workerThat((id) => (id === 'm00' ? unavailable : ok))({ Records });
  rig.clock.advance(afterMinutes * minute);
  await rig.workerThat(() => ok)({ Records });
  expect(rig.attempts.toSorted()).toEqual(attempts);
});

test('what fails by our own fault travels on alone, as a possible repeat: the others are not attempted again', async () => {
  const lines = collectLines();
  const lost = () => Promise.reject(new Error('lost'));
  const worker = rig.workerThat((id) => (id === 'm03' ? noSocket : id === 'm09' ? lost() : ok));
  expect(await worker(redelivered(await rig.group(), 2))).toEqual(nothingFailed);
  const [rest] = rig.sent();
  const failed = lines.filter(({ outcome }) => outcome === 'failed');
  // Each is looked up first, so that any of them may be the first to fail.
  for (const those of [rest.callbacks, failed])
    expect(those.map(({ messageId }: { messageId?: string }) => messageId).sort()).toEqual(['m03', 'm09']);
  expect(rest).toMatchObject({ mayBeRepeat: true });
  expect(await rig.rows()).toEqual([]);
  for (const line of failed) expect(line).toMatchObject({ Failed: 1, status: '500', partnerId: 'bars' });
  expect(lines.at(-1)).toMatchObject({ callbacks: 40, CallbacksDelivered: 38, again: 2 });
});

test('when nothing could be done the message goes back to its queue, which counts how often, and nothing is said about the partner', async () => {
  const Records = await rig.group(['m00', 'm01']);
  const response = await rig.workerThat(() => noSocket)({ Records });
  expect(response.batchItemFailures).toHaveLength(1);
  expect([rig.told(), await rig.rows(), await rig.circuit()]).toEqual([[], [], undefined]);
});

test('a message whose rest cannot be sent goes back whole', async () => {
  const away = { ...rig.queue, client: { send: () => Promise.reject(new Error('away')) } as never };
  const { client } = rig.partnerThat(({ messageId }) => (messageId === 'm03' ? noSocket : ok));
  const worker = rig.newWorker({ client, queue: away });
  expect((await worker({ Records: await rig.group() })).batchItemFailures).toHaveLength(1);
});

test('no attempt begins when the function may end before it: the rest travels in another message', async () => {
  const worker = rig.workerThat(() => {
    rig.clock.advance(1_800);
    return { ...ok, durationMs: 1_800 };
  });
  expect(await worker({ Records: await rig.group() })).toEqual(nothingFailed);
  expect(rig.attempts.length).toBeLessThan(40);
  const [rest = []] = rig.told();
  expect([...rig.attempts, ...rest].sort()).toEqual(forty);
});

test('rule 24: an endpoint that turns out slow gets the rest of its group from the slow lane', async () => {
  await rig.workerThat(() => ({ ...ok, durationMs: 5_000 }))({ Records: await rig.group() });
  const [passed] = rig.slowRecords().map(({ body }) => JSON.parse(body));
  expect([rig.attempts.length, passed.callbacks.length]).toEqual([10, 30]);
});
