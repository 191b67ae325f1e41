import type { SQSRecord } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import { processSlice } from '../../../functions/places/process-slice.ts';
import { startSync } from '../../../functions/places/start-sync.ts';
import { idempotencyStore } from '../../../shared/http/idempotency-store.ts';
import { offerLock } from '../../../shared/places/offer-lock.ts';
import { bars, call, forBars } from '../../support/http.ts';
import { fakeIds } from '../../support/ids.ts';
import { redelivered } from '../../support/queue.ts';
import { type FinishedSession, place, syncRig } from './sync-rig.ts';

type Rig = Awaited<ReturnType<typeof syncRig>>;

let rig: Rig;
beforeEach(async () => {
  // A list of 10 places makes two slices.
  rig = await syncRig({ sliceLimit: { places: 5, bytes: 700_000 } });
});

function points(from: number, to: number, name?: string) {
  return Array.from({ length: to - from }, (_, n) =>
    place(`p${String(from + n).padStart(3, '0')}`, name ?? `p${from + n}`),
  );
}

async function session(sessionId: string): Promise<FinishedSession> {
  return (await rig.get(sessionId)).body as FinishedSession;
}

/** How many service points the offer has. */
async function pointCount(): Promise<number> {
  return (await rig.table.rows()).filter(({ pk }) => pk === 'PLACES#bars-of-moscow').length;
}

/** The messages of one list, taken from the queue: slices, and then the removals. */
async function sentList(list: unknown[], extra: Record<string, unknown> = {}) {
  await rig.send({ places: list, ...extra });
  const records = await rig.queue.drain();
  return { slices: records.slice(0, -1), removals: records.slice(-1), records };
}

function unreadable(records: readonly SQSRecord[]): SQSRecord[] {
  return records.map((record) => ({
    ...record,
    body: JSON.stringify({ ...JSON.parse(record.body), content: 'x' }),
  }));
}

describe('a list that would remove more than half of the points, and at least 20', () => {
  test('removes none, adds and updates what it has, and says so', async () => {
    await rig.sync(points(0, 40));
    const held = await rig.sync([...points(0, 15, 'new name'), ...points(100, 103)]);
    expect(held).toEqual({
      sessionId: 'uuid-2',
      status: 'FINISHED',
      errors: [],
      counts: {
        received: 18,
        added: 3,
        updated: 15,
        unchanged: 0,
        removed: 0,
        rejected: 0,
        removalsHeld: 25,
      },
      warnings: [
        'places: 25 points that the list does not name were not removed, because they are more than 50 % of the 40 stored before; to remove them, send the list again with "confirmRemovals": true',
      ],
    });
    expect(await pointCount()).toBe(43);
  });

  test('removes them when it is confirmed', async () => {
    await rig.sync(points(0, 40));
    const list = points(0, 15);
    await rig.sync(list);
    const confirmed = await rig.sync(list, { confirmRemovals: true });
    expect(confirmed.counts).toMatchObject({ unchanged: 15, removed: 25 });
    expect(confirmed).not.toHaveProperty('warnings');
    expect(confirmed.counts).not.toHaveProperty('removalsHeld');
    expect(await pointCount()).toBe(15);
  });

  test.each([
    { extra: {}, counts: { removed: 0, removalsHeld: 25 }, warnings: 1 },
    { extra: { confirmRemovals: true }, counts: { removed: 25 }, warnings: 0 },
  ])('as a dry run with $extra gets the answer of the real run, and changes nothing', async (expected) => {
    await rig.sync(points(0, 40));
    const dry = await rig.sync(points(0, 15), { ...expected.extra, dryRun: true });
    expect(dry.counts).toMatchObject(expected.counts);
    expect(await pointCount()).toBe(40);
    const real = await rig.sync(points(0, 15), expected.extra);
    expect({ ...real, sessionId: '', dryRun: true }).toEqual({ ...dry, sessionId: '' });
    expect(dry.warnings ?? []).toHaveLength(expected.warnings);
  });
});

describe('a list that removes little', () => {
  test('removes exactly half of the points unconfirmed', async () => {
    await rig.sync(points(0, 40));
    expect((await rig.sync(points(0, 20))).counts).toMatchObject({ removed: 20 });
    expect(await pointCount()).toBe(20);
  });

  test('removes 19 of 20 unconfirmed', async () => {
    await rig.sync(points(0, 20));
    const ended = await rig.sync(points(0, 1));
    expect(ended.counts).toMatchObject({ removed: 19 });
    expect(ended).not.toHaveProperty('warnings');
    expect(await pointCount()).toBe(1);
  });

  test('counts the points before its session, not those it adds', async () => {
    await rig.sync(points(0, 39));
    const ended = await rig.sync([...points(0, 19), ...points(100, 150)]);
    expect(ended.counts).toMatchObject({ added: 50, removed: 0, removalsHeld: 20 });
    expect(ended.warnings?.[0]).toContain('more than 50 % of the 39 stored before');
  });
});

test('a partner can agree on another share than half', async () => {
  await rig.sync(points(0, 100));
  const partner = (removalPercent: number) => ({ partner: { ...bars, limits: { removalPercent } } });
  await rig.send({ places: points(0, 79) }, partner(20));
  await rig.work();
  expect((await session('uuid-2')).warnings?.[0]).toContain('more than 20 % of the 100 stored before');
  await rig.send({ places: points(0, 80) }, partner(20));
  await rig.work();
  expect((await session('uuid-3')).counts).toMatchObject({ removed: 20 });
  await rig.send({ places: points(0, 1) }, partner(100));
  await rig.work();
  expect((await session('uuid-4')).counts).toMatchObject({ removed: 79 });
});

describe('a list whose every element is rejected', () => {
  test.each([{}, { confirmRemovals: true }])('removes nothing, with %j', async (extra) => {
    await rig.sync(points(0, 3));
    const ended = await rig.sync([{ itemId: 'p000', placeInfo: {} }, null], extra);
    expect(ended.counts).toMatchObject({ rejected: 2, removed: 0, removalsHeld: 2 });
    expect(ended.warnings).toEqual([
      'places: 2 points that the list does not name were not removed, because every element of the list was rejected, which "confirmRemovals" does not change; send them corrected',
    ]);
    expect(await pointCount()).toBe(3);
  });
});

describe('a list with a slice that could not be processed', () => {
  async function withFailedSlice(extra: Record<string, unknown>) {
    await rig.sync(points(0, 20));
    // p000 to p004 and p005 to p009, with boundaries of the first list behind.
    const { slices, removals } = await sentList([...points(0, 4), ...points(5, 8), ...points(10, 18)], extra);
    const [first, ...others] = slices;
    if (!first) throw new Error('no slice');
    await rig.handlers.process(redelivered(others, 1));
    // It is on its way through the dead-letter queue: the removals wait.
    const early = await rig.handlers.process(redelivered(removals, 1));
    expect(early.batchItemFailures).toEqual([{ itemIdentifier: removals[0]?.messageId }]);
    expect(await session('uuid-2')).toMatchObject({ status: 'PROCESSING' });
    await rig.handlers.endFailed(redelivered(unreadable([first]), 6));
    expect(await session('uuid-2')).toMatchObject({ status: 'PROCESSING' });
    await rig.handlers.process(redelivered(removals, 2));
    return session('uuid-2');
  }

  test('removes nothing, however little', async () => {
    const ended = await withFailedSlice({});
    expect(ended.status).toBe('FINISHED');
    expect(ended.counts).toMatchObject({ removed: 0, removalsHeld: 4 });
    expect(ended.warnings).toEqual([
      'places: 4 points that the list does not name were not removed, because a part of the list could not be processed; send the list again, or with "confirmRemovals": true to remove even if a part fails',
    ]);
    expect(await pointCount()).toBe(20);
  });

  test('removes what its other slices found when it is confirmed; the points of the failed one stay', async () => {
    const ended = await withFailedSlice({ confirmRemovals: true });
    expect(ended.status).toBe('FINISHED');
    expect(ended).not.toHaveProperty('warnings');
    expect(ended.counts['removed']).toBe(4);
    const left = (await rig.stored()).map(([itemId]) => itemId);
    expect(left).toHaveLength(16);
    expect(left).toContain('p004');
  });

  test('keeps what that slice had recorded before it failed', async () => {
    await rig.sync(points(0, 10));
    const { slices, removals } = await sentList(points(5, 9), { confirmRemovals: true });
    const dying = processSlice({
      ...rig,
      sessions: { ...rig.sessions, finishSlice: () => Promise.reject(new Error('the function died here')) },
    });
    await dying(redelivered(slices.slice(0, 1), 1));
    await rig.handlers.endFailed(redelivered(slices.slice(0, 1), 6));
    await rig.handlers.process(redelivered([...slices.slice(1), ...removals], 1));
    const ended = await session('uuid-2');
    expect(ended.status).toBe('FINISHED');
    expect((await rig.stored()).length).toBe(10 - (ended.counts['removed'] ?? 0));
    expect((await rig.stored()).map(([itemId]) => itemId)).toContain('p000');
  });
});

describe('removals', () => {
  test('are exact though a slice was delivered twice and had died in between', async () => {
    await rig.sync(points(0, 40));
    const { slices, removals } = await sentList([...points(0, 15), ...points(100, 130)]);
    const dying = processSlice({
      ...rig,
      sessions: { ...rig.sessions, finishSlice: () => Promise.reject(new Error('the function died here')) },
    });
    await dying(redelivered(slices, 1));
    await rig.handlers.process(redelivered([...slices, ...removals], 2));
    expect((await session('uuid-2')).counts).toMatchObject({ added: 30, removalsHeld: 25 });
    expect((await session('uuid-2')).warnings?.[0]).toContain('of the 40 stored before');
  });

  test('delivered again change nothing, not even after a newer list', async () => {
    await rig.sync(points(0, 30));
    const { records, removals } = await sentList(points(0, 20));
    await rig.handlers.process(redelivered(records, 1));
    const ended = await session('uuid-2');
    expect(ended.counts).toMatchObject({ removed: 10 });
    await rig.sync(points(0, 30));
    await rig.handlers.process(redelivered(removals, 2));
    await rig.handlers.endFailed(redelivered(removals, 6));
    expect(await pointCount()).toBe(30);
    expect(await session('uuid-2')).toEqual(ended);
  });

  test('continue after the function died among them, and count each point once', async () => {
    await rig.sync(points(0, 60));
    const { slices, removals } = await sentList(points(50, 60), { confirmRemovals: true });
    await rig.handlers.process(redelivered(slices, 1));
    let calls = 0;
    const dying = processSlice({
      ...rig,
      places: {
        ...rig.places,
        apply: async (...args: Parameters<Rig['places']['apply']>) => {
          calls += 1;
          if (calls === 3) throw new Error('the function died here');
          await rig.places.apply(...args);
        },
      },
    });
    await dying(redelivered(removals, 1));
    expect(await pointCount()).toBe(40);
    expect((await session('uuid-2')).status).toBe('PROCESSING');
    await rig.handlers.process(redelivered(removals, 2));
    expect(await session('uuid-2')).toMatchObject({ status: 'FINISHED', counts: { removed: 50 } });
    expect(await pointCount()).toBe(10);
  });

  test('of thousands continue where they were', async () => {
    rig = await syncRig();
    await rig.sync(points(0, 2_600));
    const { slices, removals } = await sentList([place('p0000')], { confirmRemovals: true });
    await rig.handlers.process(redelivered(slices, 1));
    let removed = 0;
    const dying = processSlice({
      ...rig,
      places: {
        ...rig.places,
        apply: async (...args: Parameters<Rig['places']['apply']>) => {
          if (removed > 1_500) throw new Error('the function died here');
          await rig.places.apply(...args);
          removed += args[1].remove.length;
        },
      },
    });
    await dying(redelivered(removals, 1));
    expect((await session('uuid-2')).counts).toMatchObject({ removed: 2_000 });
    rig.table.units();
    await rig.handlers.process(redelivered(removals, 2));
    expect(await session('uuid-2')).toMatchObject({ status: 'FINISHED', counts: { removed: 2_600 } });
    // The other 600 and the end of the session: what was saved is not removed again.
    expect(rig.table.units().write).toBe(601);
    expect(await pointCount()).toBe(1);
  });

  test('of one session come before the first slice of the next', async () => {
    await rig.sync(points(0, 30));
    await rig.send({ places: points(0, 20) });
    await rig.send({ places: points(0, 30, 'again') });
    await rig.work();
    expect((await session('uuid-2')).counts).toMatchObject({ unchanged: 20, removed: 10 });
    expect((await session('uuid-3')).counts).toMatchObject({ updated: 20, added: 10, removed: 0 });
    expect(await pointCount()).toBe(30);
  });

  test('that fail hold back the next session, in the same batch too', async () => {
    await rig.sync(points(0, 30));
    await rig.send({ places: points(0, 20) });
    await rig.send({ places: points(0, 30, 'again') });
    const records = await rig.queue.drain();
    const broken = processSlice({
      ...rig,
      sessions: {
        ...rig.sessions,
        endRemovals: () => Promise.reject(new Error('the function died here')),
      },
    });
    await broken(redelivered(records, 1));
    expect((await session('uuid-3')).counts).toMatchObject({ added: 0, updated: 0 });
    await rig.handlers.process(redelivered(records, 2));
    expect((await session('uuid-3')).counts).toMatchObject({ updated: 20, added: 10 });
    expect(await pointCount()).toBe(30);
  });
});

describe('removals in the dead-letter queue', () => {
  test('end their session without removing, and a warning says so', async () => {
    await rig.sync(points(0, 30));
    const { slices, removals } = await sentList(points(0, 20));
    await rig.handlers.process(redelivered(slices, 1));
    await rig.handlers.endFailed(redelivered(removals, 6));
    const ended = await session('uuid-2');
    expect(ended).toMatchObject({ status: 'FINISHED', counts: { removed: 0, removalsHeld: 10 } });
    expect(ended.warnings).toEqual([
      'places: 10 points that the list does not name were not removed, because the removal could not be completed; send the list again, with "confirmRemovals": true if it removes more than 50 %',
    ]);
    expect(await pointCount()).toBe(30);
  });

  test('that arrive with the slices of their session end it after them', async () => {
    await rig.sync(points(0, 10));
    const { records } = await sentList(points(0, 10, 'changed'));
    await rig.handlers.endFailed(redelivered(records, 6));
    expect(await session('uuid-2')).toMatchObject({
      status: 'FINISHED',
      counts: { rejected: 10, removed: 0 },
    });
    expect(await pointCount()).toBe(10);
  });

  test('end a session whose slice nobody could read', async () => {
    await rig.sync(points(0, 3));
    const { slices, removals } = await sentList(points(0, 3, 'changed'));
    await rig.handlers.endFailed(
      redelivered([{ ...(slices[0] as SQSRecord), body: '{"half' }, ...removals], 6),
    );
    const ended = await session('uuid-2');
    expect(ended.status).toBe('FINISHED');
    expect(ended.errors).toEqual([
      { place: {}, description: 'places: part 1 of the list could not be read, send the list again' },
    ]);
  });

  test('that had removed some points count those, and hold the others', async () => {
    rig = await syncRig();
    await rig.sync(points(0, 2_600));
    const { slices, removals } = await sentList([place('p0000')], { confirmRemovals: true });
    await rig.handlers.process(redelivered(slices, 1));
    const dying = processSlice({
      ...rig,
      removals: {
        ...rig.removals,
        saveProgress: async (...args: Parameters<Rig['removals']['saveProgress']>) => {
          await rig.removals.saveProgress(...args);
          throw new Error('the function died here');
        },
      },
    });
    await dying(redelivered(removals, 5));
    await rig.handlers.endFailed(redelivered(removals, 6));
    const ended = await session('uuid-2');
    expect(ended.status).toBe('FINISHED');
    expect(ended.counts).toMatchObject({ removed: 1_000, removalsHeld: 1_600 });
    expect(ended.warnings).toEqual([
      'places: the removal of 1600 points that the list does not name was interrupted, and some of them are left; send the list again, with "confirmRemovals": true if it removes more than 50 %',
    ]);
    expect(await pointCount()).toBe(1_601);
  });
});

test('a list that the queue does not take as a whole removes nothing, and its session ends', async () => {
  await rig.sync(points(0, 10));
  const start = startSync({
    ...rig,
    offerLock: offerLock(rig.table, rig.clock),
    queue: { ...rig.queue, url: `${rig.queue.url}-gone` },
    ids: fakeIds(),
    idempotency: idempotencyStore(rig.table),
  });
  expect(await call(start, { ...forBars, body: { places: points(0, 5) } })).toMatchObject({ status: 503 });
  expect((await session('uuid-1')).status).toBe('FINISHED');
  expect(await pointCount()).toBe(10);
});

test('confirmRemovals must be true or false', async () => {
  expect(await rig.send({ places: [place('a')], confirmRemovals: 'yes' })).toMatchObject({
    status: 400,
    body: { status: 'REQUEST_INVALID', errors: ['confirmRemovals: must be true or false'] },
  });
});
