import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AttemptResult } from '../../../shared/platform/egress/attempt-result.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
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
    rig
      .records()
      .map(({ body }) =>
        (JSON.parse(body).callbacks as { messageId: string }[]).map(({ messageId }) => messageId),
      );
  const rows = async () =>
    (await rig.table.rows()).filter(({ pk }) => String(pk).startsWith('CALLBACKS#')).map(({ sk }) => sk);
  return { ...rig, attempts, workerThat, group, told, rows };
}

const nothingFailed = { batchItemFailures: [] };

test('forty callbacks of a message are delivered side by side, and leave one line', async () => {
  const { workerThat, group, attempts } = await groupRig();
  let atOnce = 0;
  let most = 0;
  const worker = workerThat(async (id) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await setImmediate();
    atOnce -= 1;
    return id === 'm07' ? { ...ok, durationMs: 80 } : ok;
  });
  const Records = await group();
  const lines = collectLines();
  expect(await worker({ Records })).toEqual(nothingFailed);
  expect([...attempts].sort()).toEqual(forty);
  expect(most).toBe(10);
  expect(lines).toMatchObject([{ partnerId: 'bars', callbacks: 40, CallbacksDelivered: 40, exchangeMs: 80 }]);
  const { delivered } = lines[0] as { delivered: string[] };
  expect([...delivered].sort()).toEqual(forty.map((id) => `${id}-DELIVERED`));
  // The metric has a value per callback, so that percentiles count callbacks and not messages.
  expect(lines[0]?.['FirstAttemptSeconds']).toEqual(Array(40).fill(0));
});

test('a callback of a group that fails becomes a row with a line of its own, and repeats none of the others', async () => {
  const { workerThat, group, attempts, rows, records, queue } = await groupRig();
  const Records = await group();
  const lines = collectLines();
  const worker = workerThat((id) => (id === 'm07' ? unavailable : ok));
  expect(await worker({ Records })).toEqual(nothingFailed);
  expect(attempts).toHaveLength(40);
  expect(await rows()).toEqual(['m07#DELIVERED']);
  expect(lines).toMatchObject([
    { messageId: 'm07', attempt: 1, httpStatus: 503, result: 'retry', CallbacksRetried: 1 },
    { callbacks: 40, CallbacksDelivered: 39 },
  ]);
  expect(queue.delays).toEqual([5]);
  expect(records().map(({ body }) => JSON.parse(body))).toMatchObject([{ kind: 'retry', messageId: 'm07' }]);
});

test('a callback of a group that gets no response holds up none of the others', async () => {
  const { workerThat, group, attempts } = await groupRig();
  let answer = (_result: AttemptResult): void => {};
  const slowOne = new Promise<AttemptResult>((resolve) => {
    answer = resolve;
  });
  const worker = workerThat((id) => (id === 'm00' ? slowOne : ok));
  const done = worker({ Records: await group() });
  while (attempts.length < 40) await setImmediate();
  answer(ok);
  expect(await done).toEqual(nothingFailed);
});

test('a full batch has ten attempts under way, two of a message at most', async () => {
  const { workerThat, group, attempts } = await groupRig();
  const batches = await Promise.all(Array.from({ length: 10 }, () => group()));
  void workerThat(() => never)({ Records: batches.flat() });
  while (attempts.length < 10) await setImmediate();
  for (let n = 0; n < 100; n++) await setImmediate();
  expect(attempts).toHaveLength(10);
  const ofFirst = attempts.filter((id) => id === 'm00');
  expect(ofFirst.length).toBeGreaterThanOrEqual(5);
});

test('after a crash only what was delivered is repeated, once, and what has a row is not', async () => {
  const { workerThat, group, attempts, rows } = await groupRig();
  const sixty = Array.from({ length: 60 }, (_, n) => `m${String(n).padStart(2, '0')}`);
  const Records = await group(sixty);
  // This worker dies in the middle: ten attempts wait for a response forever.
  const dying = workerThat((id) => (id < 'm03' ? unavailable : id < 'm20' ? ok : never));
  void dying({ Records });
  while (attempts.length < 30 || (await rows()).length < 3) await setImmediate();
  await workerThat(() => ok)(redelivered(Records, 2));
  const counts = Map.groupBy(attempts, (id) => id);
  const times = (from: number, to: number) => sixty.slice(from, to).map((id) => counts.get(id)?.length);
  expect(times(0, 3)).toEqual([1, 1, 1]);
  // Seventeen had been delivered, and ten were in progress.
  expect(times(3, 30)).toEqual(Array(27).fill(2));
  expect(times(30, 60)).toEqual(Array(30).fill(1));
});

test('what fails by our own fault travels on alone, as a possible repeat: the others are not attempted again', async () => {
  const { workerThat, group, records, rows } = await groupRig();
  const lines = collectLines();
  const worker = workerThat((id) => (id === 'm03' || id === 'm09' ? noSocket : ok));
  expect(await worker(redelivered(await group(), 2))).toEqual(nothingFailed);
  const [rest] = records().map(({ body }) => JSON.parse(body));
  const failed = lines.filter(({ outcome }) => outcome === 'failed');
  // Each is looked up first, so that any of them may be the first to fail.
  for (const those of [rest.callbacks, failed])
    expect(those.map(({ messageId }: { messageId?: string }) => messageId).sort()).toEqual(['m03', 'm09']);
  expect(rest).toMatchObject({ mayBeRepeat: true });
  expect(await rows()).toEqual([]);
  for (const line of failed) expect(line).toMatchObject({ Failed: 1, status: '500', partnerId: 'bars' });
  expect(lines.at(-1)).toMatchObject({ callbacks: 40, CallbacksDelivered: 38, again: 2 });
});

test('rule 23: a failed attempt whose row was written, though no response came, is not made again at once', async () => {
  const { table, workerThat, group, attempts, records, row } = await groupRig();
  const end = interceptCalls(table.client, async ({ name, input }, make) => {
    const output = await make();
    if (name === 'PutItemCommand' && input.Item?.messageId === 'm01') throw new Error('lost');
    return output;
  });
  await workerThat((id) => (id === 'm01' ? unavailable : ok))({ Records: await group(['m00', 'm01']) });
  end();
  const rest = records();
  expect(rest).toHaveLength(1);
  expect(await workerThat(() => ok)({ Records: rest })).toEqual(nothingFailed);
  expect(attempts.toSorted()).toEqual(['m00', 'm01']);
  expect(await row('m01')).toMatchObject({ status: 'waiting', tries: 1 });
});

test('when nothing could be done the message goes back to its queue, which counts how often, and nothing is said about the partner', async () => {
  const { workerThat, group, told, rows, circuit } = await groupRig();
  const Records = await group(['m00', 'm01']);
  const response = await workerThat(() => noSocket)({ Records });
  expect(response.batchItemFailures).toHaveLength(1);
  expect([told(), await rows(), await circuit()]).toEqual([[], [], undefined]);
});

test('a message whose rest cannot be sent goes back whole', async () => {
  const { newWorker, partnerThat, group, queue } = await groupRig();
  const away = { ...queue, client: { send: () => Promise.reject(new Error('away')) } as never };
  const { client } = partnerThat(({ messageId }) => (messageId === 'm03' ? noSocket : ok));
  const worker = newWorker({ client, queue: away });
  expect((await worker({ Records: await group() })).batchItemFailures).toHaveLength(1);
});

test('no attempt begins when the function may end before it: the rest travels in another message', async () => {
  const { workerThat, group, told, attempts, clock } = await groupRig();
  const worker = workerThat(() => {
    clock.advance(1_800);
    return { ...ok, durationMs: 1_800 };
  });
  expect(await worker({ Records: await group() })).toEqual(nothingFailed);
  expect(attempts.length).toBeLessThan(40);
  const [rest = []] = told();
  expect([...attempts, ...rest].sort()).toEqual(forty);
});

test('rule 24: an endpoint that turns out slow gets the rest of its group from the slow lane', async () => {
  const { workerThat, group, attempts, slowRecords } = await groupRig();
  await workerThat(() => ({ ...ok, durationMs: 5_000 }))({ Records: await group() });
  const [passed] = slowRecords().map(({ body }) => JSON.parse(body));
  expect([attempts.length, passed.callbacks.length]).toEqual([10, 30]);
});
