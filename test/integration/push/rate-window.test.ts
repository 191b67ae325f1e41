import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rateWindow } from '../../../shared/push/sending/rate-window.ts';
import { fakeClock } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { interceptCalls } from '../../support/intercept-calls.ts';
import { runs, seed } from '../../support/property-runs.ts';
import { newTable } from '../../support/table.ts';

const rig = inEachTest(async () => ({ table: await newTable(), clock: fakeClock() }));

async function takeAll(rate: ReturnType<typeof rateWindow>, size: number, tries: number, limit: number) {
  let taken = 0;
  for (let n = 0; n < tries; n++) if ((await rate.take('bars', size, { limit })).allowed) taken += size;
  return taken;
}

test('rule 20: 20 racing instances never go above the limit', async () => {
  const instances = Array.from({ length: 20 }, () => rateWindow(rig.table, rig.clock));
  const taken = await Promise.all(instances.map((rate) => takeAll(rate, 7, 20, 1_000)));
  const total = taken.reduce((sum, count) => sum + count, 0);
  expect(total).toBeLessThanOrEqual(1_000);
  // The rest of the limit lies in blocks that are too small for one more request.
  expect(total).toBeGreaterThan(1_000 - 20 * 7);
});

test('one busy instance can use all of it', async () => {
  expect(await takeAll(rateWindow(rig.table, rig.clock), 1, 10_100, 10_000)).toBe(10_000);
  // Each thousandth of the limit takes one lease. Once the limit is reached, each request tries two.
  expect(rig.table.units().calls).toBeLessThanOrEqual(1_000 + 200);
  const rate = rateWindow(rig.table, rig.clock);
  await rate.take('bakery', 1, { limit: 5_000 });
  // Four of these were leased with the first.
  expect(await rate.take('bakery', 4_999, { limit: 5_000 })).toMatchObject({ allowed: true, remaining: 0 });
});

test('rule 20: a lease whose response was lost counts once, though the SDK makes its call again', async () => {
  const end = interceptCalls(rig.table.client, async ({ name }, make) => {
    if (name.startsWith('Update')) await make();
    return make();
  });
  const rate = rateWindow(rig.table, rig.clock);
  expect(await rate.take('bars', 600, { limit: 1_000 })).toMatchObject({ allowed: true, remaining: 400 });
  end();
  const another = rateWindow(rig.table, rig.clock);
  expect(await another.take('bars', 400, { limit: 1_000 })).toMatchObject({ allowed: true, remaining: 0 });
});

test('the next window begins at the full minute, and leases of the last one are worth nothing', async () => {
  const rate = rateWindow(rig.table, rig.clock);
  await rate.take('bars', 100, { limit: 100 });
  rig.clock.advance(59_999);
  expect(await rate.take('bars', 1, { limit: 100 })).toMatchObject({ allowed: false, resetSeconds: 1 });
  rig.clock.advance(1);
  const fresh = { allowed: true, remaining: 0, resetSeconds: 60 };
  expect(await rate.take('bars', 100, { limit: 100 })).toMatchObject(fresh);
  rig.clock.advance(60_000);
  // This request leases five and leaves four of them.
  expect(await rate.take('bars', 1, { limit: 5_000 })).toMatchObject({ remaining: 4_999 });
  rig.clock.advance(60_000);
  expect((await rate.take('bars', 5_000, { limit: 5_000 })).allowed).toBe(true);
  expect((await rate.take('bars', 1, { limit: 5_000 })).allowed).toBe(false);
});

test('rule 20: an instance that has worked with one limit works with the next one', async () => {
  const rate = rateWindow(rig.table, rig.clock);
  expect((await rate.take('bars', 40, { limit: 100 })).allowed).toBe(true);
  rig.clock.advance(60_000);
  const larger = { allowed: true, limit: 200, remaining: 50 };
  expect(await rate.take('bars', 150, { limit: 200 })).toMatchObject(larger);
  rig.clock.advance(60_000);
  expect(await rate.take('bars', 31, { limit: 30 })).toMatchObject({ allowed: false, limit: 30 });
  expect((await rate.take('bars', 30, { limit: 30 })).allowed).toBe(true);
  expect((await rate.take('bars', 1, { limit: 30 })).allowed).toBe(false);
});

test('an instance that is refused learns what others have left', async () => {
  await rateWindow(rig.table, rig.clock).take('bars', 60, { limit: 100 });
  const rate = rateWindow(rig.table, rig.clock);
  expect(await rate.take('bars', 101, { limit: 100 })).toMatchObject({ allowed: false, remaining: 40 });
  expect(await rate.take('bars', 41, { limit: 100 })).toMatchObject({ allowed: false, remaining: 40 });
  expect(await rate.take('bars', 40, { limit: 100 })).toMatchObject({ allowed: true, remaining: 0 });
  expect(await rate.take('bars', 1, { limit: 50 })).toMatchObject({ allowed: false, remaining: 0 });
});

test('whichever instances ask for how much, what fits beside what the others may hold is never refused, nor what another partner may have', async () => {
  const take = fc.record({
    instance: fc.nat(2),
    share: fc.constantFrom(0, 0, 0.001, 0.01, 0.25, 0.5, 1, 1.01),
  });
  const property = fc.asyncProperty(
    fc.constantFrom(1, 7, 400, 2_500),
    fc.array(take, { maxLength: 30, size: 'max' }),
    async (limit, takes) => {
      rig.clock.advance(60_000);
      const instances = [1, 2, 3].map(() => rateWindow(rig.table, rig.clock));
      // An instance has leased but not used less than a thousandth of the limit.
      const heldByOthers = 2 * (Math.ceil(limit / 1_000) - 1);
      let taken = 0;
      for (const { instance, share } of takes) {
        const size = Math.max(1, Math.round(limit * share));
        const { allowed, remaining = 0 } = (await instances[instance]?.take('bars', size, { limit })) ?? {};
        if (taken + size + heldByOthers <= limit) expect(allowed).toBe(true);
        if (allowed) taken += size;
        expect(taken).toBeLessThanOrEqual(limit);
        expect(remaining).toBeLessThanOrEqual(limit);
      }
      expect(await instances[0]?.take('bakery', limit, { limit })).toMatchObject({ allowed: true });
    },
  );
  await fc.assert(property, { seed, numRuns: runs(30) });
});
