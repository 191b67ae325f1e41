import { expect, test } from 'vitest';
import type { CallbackStatus } from '../../../shared/callbacks/rows/callback-store.ts';
import { bucketOf } from '../../../shared/platform/table/row-keys/row-key.ts';
import { day, noon } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { readPages } from '../../support/read-pages.ts';
import { keepRows, messageIdAt } from './kept-rows.ts';
import { selfServiceRig } from './self-service-rig.ts';

async function listRig() {
  const rig = await selfServiceRig();
  await rig.saveEndpoint('https://bars.example/status');
  const keep = (status: CallbackStatus, from: number, to: number, more: object = {}) =>
    keepRows(rig.table, status, { from, to, ...more });
  /** The numbers that all pages list. */
  const walk = async (query: Record<string, string> = {}) =>
    (await readPages((next) => rig.listed({ ...query, ...next }))).flatMap(numbersIn);
  const endpoint = async () => (await rig.ask('get')).body;
  return { ...rig, keep, walk, endpoint };
}

const rig = inEachTest(listRig);

function numbersIn({ callbacks }: { callbacks: { messageId: string }[] }): number[] {
  return callbacks.map(({ messageId }) => Number(messageId.slice(-12)));
}

test('rule 33: many callbacks of one time are listed page by page, each once', async () => {
  await rig.keep('skipped', 0, 100, { changedAt: noon });
  await rig.keep('failed', 100, 150, { changedAt: noon });
  const seen = await rig.walk({ limit: '7' });
  expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 150 }, (_, n) => n));
});

test('rule 33: a row that the index still shows under its former status is listed once', async () => {
  await rig.keep('skipped', 0, 5);
  interceptCalls(rig.table.client, ({ input }, make) => {
    const values = input.ExpressionAttributeValues;
    // The index lags behind, and lists the skipped callbacks as waiting, too.
    if (values?.[':shard']) values[':shard'] = values[':shard'].replace('#waiting', '#skipped');
    return make();
  });
  expect(numbersIn(await rig.listed())).toEqual([4, 3, 2, 1, 0]);
});

test('rule 33: however many there are, a page and the counts read 40 units each at most, and a tab that asks for both four times a minute 300', async () => {
  for (const [n, status] of (['waiting', 'skipped', 'failed'] as const).entries())
    await rig.keep(status, n * 1_200, (n + 1) * 1_200);
  rig.table.units();
  await rig.endpoint();
  const counts = rig.table.units().read;
  await rig.listed();
  const page = rig.table.units().read;
  expect(Math.max(counts, page)).toBeLessThanOrEqual(40);
  expect(4 * (counts + page)).toBeLessThanOrEqual(300);
});

test('rule 33: counts stop at a hundred a bucket, and say so', async () => {
  await rig.keep('skipped', 1_200, 1_203);
  const one = bucketOf(messageIdAt(0));
  const ofOneBucket = Array.from({ length: 1_200 }, (_, n) => n).filter(
    (n) => bucketOf(messageIdAt(n)) === one,
  );
  for (const n of ofOneBucket.slice(0, 101)) await rig.keep('waiting', n, n + 1);
  expect(await rig.endpoint()).toMatchObject({ waiting: 100, skipped: 3, countsAreMinimum: true });
  await rig.keep('waiting', 0, 1_200);
  expect(await rig.endpoint()).toMatchObject({ waiting: 800, skipped: 3, countsAreMinimum: true });
});

test('rule 33: what is past its end is neither listed nor counted nor replayed, although the table still has it', async () => {
  const expired = { expiresAt: noon / 1_000 };
  // In each bucket these are more than are counted.
  await rig.keep('skipped', 0, 1_000, expired);
  await rig.keep('waiting', 1_000, 1_010, expired);
  await rig.keep('skipped', 1_010, 1_012);
  rig.clock.set(noon + day);
  expect(await rig.walk()).toEqual([1_011, 1_010]);
  expect(await rig.walk({ status: 'waiting' })).toEqual([]);
  expect(await rig.endpoint()).toMatchObject({ waiting: 0, skipped: 2 });
  const messageId = messageIdAt(1);
  expect((await rig.listed({ messageId })).callbacks).toEqual([]);
  expect(await rig.replayed({ messageIds: [messageId] })).toMatchObject({ notFound: [messageId] });
  expect(await rig.replayed({ status: 'skipped' })).toEqual({ replayed: 2, more: false });
});

test('rule 33: a replay by status stops when its time is over', async () => {
  await rig.keep('skipped', 0, 400);
  const { now } = rig.clock;
  // Each look at the clock takes 100 ms.
  Object.assign(rig.clock, {
    now: () => {
      rig.clock.advance(100);
      return now();
    },
  });
  const first = await rig.replayed({ status: 'skipped' });
  expect(first).toMatchObject({ more: true, cursor: expect.any(String) });
  expect(first.replayed).toBeGreaterThan(0);
  expect(first.replayed).toBeLessThan(400);
});

test('rule 33: a replay by status leaves alone what the index shows late, and a list shows what the row says', async () => {
  await rig.keep('skipped', 0, 5, { status: 'delivered' });
  await rig.keep('skipped', 5, 7);
  expect(await rig.replayed({ status: 'skipped' })).toEqual({ replayed: 2, more: false });
  expect(await rig.walk({ status: 'skipped' })).toEqual([]);
  expect(await rig.walk()).toHaveLength(7);
});

test('rule 33: a replay by status takes a cursor with another time range, and keeps to that range, but not with another status', async () => {
  await rig.keep('skipped', 0, 100);
  const at = (n: number) => new Date(noon + n).toISOString();
  const cursorAt = (n: number) => {
    const sk = `5d3b7a0e-0000-4000-8000-00000000000${n}#DELIVERED`;
    const position = { status: 'skipped', shard: 0, after: { changedAt: noon + n, sk } };
    return Buffer.from(JSON.stringify(['replay', position])).toString('base64url');
  };
  const before = { status: 'skipped', cursor: cursorAt(0), since: at(50) };
  expect(await rig.replayed(before)).toEqual({ replayed: 50, more: false });
  const behind = { status: 'skipped', cursor: cursorAt(9), until: at(5) };
  expect(await rig.replayed(behind)).toMatchObject({ more: false });
  const ofAnother = { status: 'failed', cursor: cursorAt(0) };
  const errors = ['cursor: must be from a response to the same status'];
  expect(await rig.replayed(ofAnother)).toMatchObject({ errors });
});
