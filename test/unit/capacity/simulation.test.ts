import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ageMeter } from '../../../bench/capacity/age.ts';
import { deadEndpoint } from '../../../bench/capacity/dead-endpoint.ts';
import { meanBatchSeconds, workerPool } from '../../../bench/capacity/delivery.ts';
import { documentFile, renewed } from '../../../bench/capacity/document.ts';
import { presets, ratesOf } from '../../../bench/capacity/load.ts';
import { plotFile, plotOf, runAll } from '../../../bench/capacity/plot.ts';
import { type Scenario, scenarios, simulate } from '../../../bench/capacity/simulation.ts';
import { stepOf } from '../../../bench/capacity/svg.ts';
import { configOf } from '../../../infra/config.ts';

describe('a batch of callbacks', () => {
  test('lasts as long as its slowest: with one slow message in ten, two of three batches hold one', () => {
    const kinds = [
      { share: 0.1, seconds: 3 },
      { share: 0.9, seconds: 0.2 },
    ];
    const { mean, longs } = meanBatchSeconds(kinds, 10);
    // 1 - 0.9^10 = 0.6513, and 0.6513 * 3 + 0.3487 * 0.2
    expect(longs[0]?.chance).toBeCloseTo(0.6513, 4);
    expect(mean).toBeCloseTo(2.0237, 4);
  });

  test('of one message knows no neighbours', () => {
    const kinds = [
      { share: 0.1, seconds: 3 },
      { share: 0.9, seconds: 0.2 },
    ];
    expect(meanBatchSeconds(kinds, 1).mean).toBeCloseTo(0.48, 9);
  });
});

test('a mapping starts with 5 functions and adds 300 a minute, up to its cap; held ones are not free', () => {
  const pool = workerPool({ cap: 200 });
  expect([0, 12, 38, 39, 600].map((now) => pool.free(now))).toEqual([5, 65, 195, 200, 200]);
  pool.hold(600, 30, 3);
  expect([601, 602, 603].map((now) => pool.free(now))).toEqual([170, 170, 200]);
});

test('the age of a queue that is served half as fast as it is filled grows by half a tick each tick', () => {
  const age = ageMeter();
  const ages = Array.from({ length: 10 }, () => age.tick(10, 5));
  expect(ages).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
  expect(age.tick(0, 50)).toBe(0);
});

describe('a dead endpoint', () => {
  const opened = (unitsASecond: number) => {
    const dead = deadEndpoint(unitsASecond);
    dead.arrive(0, 1);
    dead.receive(0, 1);
    return dead;
  };

  test('opens its circuit when the first attempt has timed out', () => {
    const dead = opened(1_000);
    expect([14, 15].map((now) => dead.circuitIsOpen(now))).toEqual([false, true]);
  });

  test('keeps as many rows a second as its key takes; the other messages are hidden for six minutes', () => {
    const dead = opened(1_000);
    dead.arrive(20, 3_000);
    dead.receive(20, 3_000);
    const { rows, hidden, deadLetters } = dead.seen();
    expect(rows).toBeCloseTo(1_001, 6);
    expect(hidden).toBeCloseTo(2_000, 6);
    expect(deadLetters).toBe(0);
    dead.arrive(380, 0);
    expect(dead.seen().hidden).toBeCloseTo(0, 6);
  });

  test('leaves dead letters when the key refuses a message five times', () => {
    const dead = opened(0);
    dead.arrive(100, 10);
    for (const now of [100, 460, 820, 1_180, 1_540]) {
      if (now > 100) dead.arrive(now, 0);
      dead.receive(now, dead.waiting());
    }
    expect(dead.seen().deadLetters).toBeCloseTo(10, 6);
    expect(dead.seen().hidden).toBeCloseTo(0, 6);
  });
});

describe('the simulation', () => {
  const one = (changes: Partial<Scenario>, of = 0): Scenario => {
    const scenario = scenarios[of];
    if (!scenario) throw new Error(`no scenario ${of}`);
    return { ...scenario, followedMinutes: 30, minutes: 15, ...changes };
  };

  test('says the same for the same seed, and something else for another', () => {
    const scenario = one({});
    expect(simulate(scenario, 7)).toEqual(simulate(scenario, 7));
    expect(simulate(scenario, 8)).not.toEqual(simulate(scenario, 7));
  });

  test('loses nothing: two callbacks for each push, in the end', () => {
    const last = simulate(one({ pushesAMinute: 100_000 })).at(-1);
    expect(last?.callbacksWaiting).toBeLessThan(1);
    expect((last?.callbacksDelivered ?? 0) / 3_000_000).toBeCloseTo(1, 2);
  });

  test('200 workers keep up with 300,000 pushes a minute and not with 400,000', () => {
    const ageAt = (pushesAMinute: number) => simulate(one({ pushesAMinute }))[14]?.callbackAgeSeconds ?? 0;
    expect(ageAt(300_000)).toBeLessThanOrEqual(1);
    expect(ageAt(400_000)).toBeGreaterThan(60);
  });

  test('without a slow lane a partner that takes 3 s takes most of the workers from the others', () => {
    const deliveredWith = (slowSeconds: number) =>
      simulate(one({ slowSeconds, slowLaneWorkers: 0 }))[14]?.callbacksDelivered ?? Number.NaN;
    expect(deliveredWith(3) / deliveredWith(0)).toBeLessThan(0.1);
  });

  test('with the slow lane and workers enough, a dead and a slow one cost the others no wait', () => {
    const at15 = simulate(one({}, scenarios.length - 1))[14];
    expect(at15?.callbackAgeSeconds).toBeLessThanOrEqual(1);
    expect(at15?.inFlightHidden).toBe(0);
  });
});

test('an axis goes by ones, twos and fives', () => {
  expect([7, 12, 93, 173, 120_000].map(stepOf)).toEqual([2, 5, 20, 50, 50_000]);
});

test('the page says how slow the answers of a partner of the national retailer may be', () => {
  // 400 attempts at once in the slow lane, and 70 callbacks a second for each of ten partners.
  expect(readFileSync(documentFile, 'utf8')).toContain('more than 5.7 s');
  const { slowCallbackWorkers, batchSize } = configOf('prod').queues;
  const { callbacksASecond } = ratesOf(presets['national-retailer']);
  expect((slowCallbackWorkers * batchSize) / (callbacksASecond / 10)).toBeCloseTo(5.7, 1);
});

test('the picture and the tables of the page are what the simulation and the model say today', () => {
  const runs = runAll();
  const page = readFileSync(documentFile, 'utf8');
  const hint = 'npm run capacity -- --plot makes them anew';
  expect(plotOf(runs) === readFileSync(plotFile, 'utf8'), hint).toBe(true);
  expect(renewed(page, runs) === page, hint).toBe(true);
});
