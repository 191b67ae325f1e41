import { expect, test } from 'vitest';
import { countEvents, type Load, presets } from '../../../bench/capacity/load.ts';
import { prices } from '../../../bench/capacity/prices.ts';
import { estimateUsage, sumUsage } from '../../../bench/capacity/usage.ts';

/** Returns a lookup of what an area uses in a month. */
function monthOf(load: Load) {
  const areas = Map.groupBy(estimateUsage(load), ({ area }) => area);
  return (name: string) =>
    Object.fromEntries(prices.map(({ of }) => [of, sumUsage(areas.get(name) ?? [], of, 'month')]));
}

const quiet: Load = {
  ...presets['small-chain'],
  ...{ partners: 1, places: 0, syncsADay: 0, checkInsADay: 0, pushesAMinute: 0 },
};

test('a million pushes a minute, 60 % registered and 40 % of those opened, are 14,000 states and callbacks a second', () => {
  const events = countEvents(presets['million-a-minute']);
  expect(events.pushes.second).toBeCloseTo(16_666.67, 2);
  expect(events.pushRequests.second).toBeCloseTo(1.667, 3);
  expect(events.states.second).toBeCloseTo(14_000, 2);
  expect(events.callbacks.second).toBeCloseTo(14_000, 2);
  expect(events.failingCallbacks.second).toBeCloseTo(140, 2);
  expect(events.checkIns.second).toBeCloseTo(27.78, 2);
});

const oneHour: Load = {
  ...quiet,
  ...{
    pushesAMinute: 1_000,
    hours: 1,
    pushDays: 1,
    bulkSize: 10_000,
    registeredPercent: 50,
    openedPercent: 0,
  },
  ...{ callbacksPercent: 100, failingCallbacksPercent: 10 },
};

test('six requests of 10,000 cost six times what the test of units measured for one, and their dispatch', () => {
  const push = monthOf(oneHour)('push');
  expect(push['writes']).toBe(498);
  expect(push['reads']).toBe(30_120);
  expect(push['httpRequests']).toBe(6);
  // 60 messages of 37 kB, for 500 phones each, are sent, received and deleted.
  expect(push['standardQueueRequests']).toBe(180);
});

test('30,000 callbacks of which 3,000 fail once cost writes for the failures alone', () => {
  const callbacks = monthOf(oneHour)('callbacks');
  expect(callbacks['writes']).toBe(33_000);
  // Reads: endpoints; circuits of failures; for 3,000 records of the stream, the sends and parts of 25 in a hundred.
  expect(callbacks['reads']).toBe(150 + 4_500 + 1_125);
  // 75 batches of 400 callbacks, and the retries between them.
  expect(callbacks['fairQueueRequests']).toBe(225 + 3_600);
  expect(callbacks['invocations']).toBeCloseTo(30 + 75 + 7.5, 9);
  expect(callbacks['gbOut']).toBeCloseTo(0.0495, 6);
});

test('nothing to do costs the minutely run, its heartbeat, two readers of it, and the polling of six queues', () => {
  const month = monthOf(quiet);
  expect(month('standing')).toMatchObject({
    reads: 712_800,
    writes: 43_200,
    invocations: 129_600,
    standardQueueRequests: 3_888_000,
  });
  expect(month('push')).toMatchObject({ writes: 0, invocations: 0 });
  expect(month('callbacks')).toMatchObject({ invocations: 0 });
});
