import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { dueIndex } from '../../../shared/callbacks/rows/due-index.ts';
import { isFailure } from '../../../shared/platform/http/failures.ts';
import { day, minute, noon } from '../../support/clock.ts';
import { refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { ok } from './callbacks-rig.ts';
import { keepRows, messageIdAt } from './kept-rows.ts';
import { selfServiceRig } from './self-service-rig.ts';

async function replayRig() {
  const rig = await selfServiceRig();
  await rig.saveEndpoint('https://bars.example/status');
  const ask = (body: object) => rig.ask('replay', body);
  const keep = (...args: Parameters<typeof keepRows> extends [unknown, ...infer Rest] ? Rest : never) =>
    keepRows(rig.table, ...args);
  /** Leaves this many replays of the window to bars. */
  const leave = (count: number) => rig.replayLimit.take('bars', 10_000 - count, rig.clock.now());
  /** Takes what is left of the window, and returns how much that was. */
  const left = async () => {
    const rest = await rig.replayLimit.take('bars', 10_000, rig.clock.now());
    return isFailure(rest) ? 0 : rest.taken;
  };
  const waiting = async () =>
    (await rig.table.rows()).filter(({ status, queuedAt }) => status === 'waiting' && queuedAt === undefined);
  return { ...rig, askFor: ask, keep, leave, left, waiting };
}

const rig = inEachTest(replayRig);

function refused(seconds: number) {
  const sentence = `callbacks: 10,000 replays in 10 minutes are possible, replay again after ${seconds} s`;
  const headers = { 'retry-after': String(seconds) };
  return { ...refusal(429, 'REPLAY_LIMIT_EXCEEDED', sentence), headers };
}

describe('rule 52: the limit of 10,000 callbacks in 10 minutes', () => {
  test('is met half-way with more and a cursor; 429 comes where nothing fits, until the window ends', async () => {
    await rig.keep('skipped', { from: 0, to: 80 });
    await rig.leave(1);
    const first = await rig.replayed({ status: 'skipped' });
    expect(first).toEqual({ replayed: 1, more: true, cursor: expect.any(String) });
    const rest = { status: 'skipped', cursor: first.cursor };
    // Skipped again, as if the endpoint had been disabled meanwhile: the cursor is behind the one that was replayed.
    await rig.keep('skipped', { from: 0, to: 80 });
    rig.clock.advance(4 * minute);
    expect(await rig.askFor(rest)).toMatchObject(refused(360));
    rig.clock.advance(6 * minute - 1);
    expect(await rig.askFor(rest)).toMatchObject(refused(1));
    rig.clock.advance(1);
    expect(await rig.askFor(rest)).toMatchObject({ status: 200, body: { replayed: 79, more: false } });
  });

  test('counts what is brought back, by status or by id, delivered before or not', async () => {
    await rig.keep('skipped', { from: 0, to: 40 });
    expect(await rig.replayed({ status: 'skipped' })).toEqual({ replayed: 40, more: false });
    const messageIds = Array.from({ length: 40 }, (_, n) => messageIdAt(n));
    await rig.keep('delivered', { from: 0, to: 40 });
    expect(await rig.replayed({ messageIds })).toEqual({ replayed: 40, more: false });
    expect(await rig.left()).toBe(9_920);
    const counter = (await rig.table.rows()).find(({ used }) => used !== undefined);
    expect(counter).toMatchObject({ used: 10_000, expiresAt: noon / 1_000 + 20 * 60 });
  });

  test('counts what it brought back once when the SDK repeats its writes, because the responses were lost', async () => {
    await rig.keep('skipped', { from: 0, to: 3 });
    interceptCalls(rig.table.client, async ({ name, input }, make) => {
      if (name === 'UpdateItemCommand' && /replayedAt|ADD #?used/.test(input.UpdateExpression)) await make();
      return make();
    });
    expect(await rig.replayed({ status: 'skipped' })).toEqual({ replayed: 3, more: false });
    expect(await rig.left()).toBe(9_997);
  });

  test('a replay of nothing takes its share, gives it back, and begins no drain', async () => {
    expect(await rig.replayed({ status: 'failed' })).toEqual({ replayed: 0, more: false });
    expect(await rig.circuit()).toBeUndefined();
    expect(await rig.left()).toBe(10_000);
  });

  test('is of the partner: another has its own, all of which it gets if it wants more', async () => {
    await rig.leave(0);
    expect(await rig.replayLimit.take('bakery', 10_001, rig.clock.now())).toMatchObject({ taken: 10_000 });
  });

  test('of two that want more than is left, both get a part, together exactly what is left', async () => {
    const takes = [4_000, 4_000, 4_000].map((count) => rig.replayLimit.take('bars', count, rig.clock.now()));
    const shares = await Promise.all(takes);
    const taken = shares.map((share) => (isFailure(share) ? 0 : share.taken));
    expect(taken.sort()).toEqual([2_000, 4_000, 4_000]);
  });

  test('unknown ids count as a callback each; ids that are not in our format are not read, and count nothing', async () => {
    const messageIds = Array.from({ length: 100 }, () => randomUUID());
    expect(await rig.replayed({ messageIds })).toEqual({ replayed: 0, more: false, notFound: messageIds });
    expect(await rig.left()).toBe(9_900);
    expect(await rig.askFor({ messageIds })).toMatchObject(refused(600));
    const ofOthers = messageIds.map((id) => `${id}x`);
    rig.table.units();
    expect(await rig.replayed({ messageIds: ofOthers })).toMatchObject({ replayed: 0, notFound: ofOthers });
    // The reads are the key and the endpoint.
    expect(rig.table.units()).toMatchObject({ read: 2, write: 0 });
  });

  test('of messageIds what fits is replayed, a message with all its callbacks, and the others are named', async () => {
    await rig.keep('failed', { from: 0, to: 3 });
    await rig.keep('delivered', { from: 0, to: 2, state: 'OPENED' });
    const [two, also, one, unknown, rest] = [0, 1, 2, 3, 4].map(messageIdAt);
    const messageIds = [two, one, also, unknown, rest];
    await rig.leave(4);
    // Both callbacks of the first message, the one of the second, and the unknown message as one.
    expect(await rig.replayed({ messageIds })).toEqual({
      replayed: 3,
      more: true,
      notFound: [unknown],
      notReplayed: [also, rest],
    });
    expect(await rig.askFor({ messageIds: [also, rest] })).toMatchObject({ status: 429 });
    rig.clock.advance(10 * minute);
    expect(await rig.replayed({ messageIds: [also, rest] })).toEqual({
      replayed: 2,
      more: false,
      notFound: [rest],
    });
    expect(await rig.left()).toBe(9_997);
    rig.clock.advance(10 * minute);
    await rig.leave(1);
    const last = { replayed: 0, more: true, notFound: [unknown], notReplayed: [rest] };
    expect(await rig.replayed({ messageIds: [unknown, rest] })).toEqual(last);
  });

  test('a repetition of a request that died replays nothing that was replayed and delivered meanwhile', async () => {
    await rig.keep('failed', { from: 0, to: 3 });
    const messageIds = [0, 1, 2].map(messageIdAt);
    const end = interceptCalls(rig.table.client, ({ name, input }, make) => {
      const isLost = String(input.UpdateExpression).includes('replayedAt') && input.Key.sk.includes('002#');
      return name === 'UpdateItemCommand' && isLost ? Promise.reject(new Error('lost')) : make();
    });
    expect(await rig.askUnder('k1', 'replay', { messageIds })).toMatchObject({ status: 500 });
    end();
    const delivered = { from: 0, to: 2, replayedAt: rig.clock.now() };
    await rig.keep('delivered', delivered);
    rig.clock.advance(minute);
    const again = await rig.askUnder('k1', 'replay', { messageIds });
    expect(again.body).toEqual({ replayed: 1, more: false });
    expect(await rig.replayed({ messageIds })).toEqual({ replayed: 2, more: false });
  });

  test('a message that does not fit as a whole is 429, and what it would have taken is given back', async () => {
    await rig.keep('failed', { from: 0, to: 2 });
    await rig.keep('failed', { from: 0, to: 1, state: 'OPENED' });
    await rig.leave(1);
    expect(await rig.askFor({ messageIds: [messageIdAt(0)] })).toMatchObject(refused(600));
    expect(await rig.replayed({ messageIds: [messageIdAt(1)] })).toEqual({ replayed: 1, more: false });
    expect(await rig.left()).toBe(0);
  });

  test('callbacks that wait already count nothing, but their message counts as one', async () => {
    await rig.keep('failed', { from: 0, to: 1 });
    await rig.keep('failed', { from: 0, to: 1, state: 'OPENED' });
    const messageIds = [messageIdAt(0)];
    expect(await rig.replayed({ messageIds })).toEqual({ replayed: 2, more: false });
    expect(await rig.replayed({ messageIds })).toEqual({ replayed: 0, more: false });
    expect(await rig.left()).toBe(9_997);
  });
});

test('rule 52: a replayed callback is another version without a try and a reason, and keeps the end of its 30 days', async () => {
  await rig.keep('skipped', { from: 0, to: 1 });
  rig.clock.advance(20 * day);
  await rig.replayed({ messageIds: [messageIdAt(0)] });
  const expiresAt = (noon + 30 * day) / 1_000;
  // In the shards of its endpoint it does not delay retries of others.
  const dueShard = expect.stringMatching(/^DEFERRED#bars#\d$/);
  const replayed = { status: 'waiting', tries: 0, version: 2, expiresAt, dueShard };
  expect(await rig.row(messageIdAt(0))).toMatchObject(replayed);
  expect(await rig.row(messageIdAt(0))).not.toHaveProperty('reason');
  await rig.sweep();
  const post = async () => ok;
  await rig.work(rig.newWorker({ client: { post } }));
  expect(await rig.row(messageIdAt(0))).toMatchObject({ status: 'delivered', expiresAt });
});

test('rule 52: each run of the sweep sends at most 5,000 that were replayed, of eight buckets alike', async () => {
  await rig.keep('failed', { from: 0, to: 40 });
  await rig.replayed({ status: 'failed' });
  const due = dueIndex(rig.table);
  const sizes: number[] = [];
  const deferredOf: typeof due.deferredOf = (endpointId, bucket, page) => {
    sizes.push(page.size);
    return due.deferredOf(endpointId, bucket, { size: 1 });
  };
  await rig.newSweep({ due: { ...due, deferredOf } })();
  expect(sizes).toEqual(Array(8).fill(625));
  expect(await rig.waiting()).toHaveLength(32);
  expect(await rig.circuit()).toHaveProperty('closedAt');
});

test('replayed callbacks wait while the circuit is open, and do not close it', async () => {
  const openUntil = rig.clock.now() + 10 * minute;
  const open = { failures: 5, openings: 1, failingSince: 1, openUntil };
  await rig.setCircuit(open);
  await rig.keep('failed', { from: 0, to: 3 });
  expect(await rig.replayed({ messageIds: [0, 1, 2].map(messageIdAt) })).toMatchObject({ replayed: 3 });
  await rig.sweep();
  expect(await rig.circuit()).toMatchObject({ openUntil, failures: 5 });
  expect(await rig.waiting()).toHaveLength(3);
});
