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

test('30,000 receipts, ten of which share a row, are 3,000 writes, and 1.5 reads for each message of 500', () => {
  const receipts = monthOf(oneHour)('receipts');
  expect(receipts).toMatchObject({ writes: 3_000, reads: 90, invocations: 12 });
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

test('single messages cost a write each, and a lease for a hundred', () => {
  const month = monthOf({ ...oneHour, bulkSize: 1 });
  expect(month('push')).toMatchObject({ writes: 60_600, reads: 30_000, httpRequests: 60_000 });
  expect(month('receipts')).toMatchObject({ writes: 30_000, reads: 15_000 });
  // Each callback has its own message in the queue, and its push message is read again.
  expect(month('callbacks')['fairQueueRequests']).toBe(9_000 + 3_600);
  expect(month('callbacks')['reads']).toBe(150 + 4_500 + 15_000);
});

/** Returns how long an invocation of the function lasts. */
function msOf(name: string, load: Load): number {
  return estimateUsage(load).find(({ run }) => run?.name === name)?.run?.ms ?? 0;
}

test('single messages and small bulk sends are dispatched a hundred rows at once, large ones row by row', () => {
  const dispatchMs = (bulkSize: number) => msOf('DispatchMessages', { ...oneHour, bulkSize });
  // Two calls of the queue, 3 ms, 100 rows of 0.12 ms each and 100 recipients of 0.01 ms each.
  expect(dispatchMs(1)).toBeCloseTo(20 + 3 + 12 + 1, 9);
  // 100 parts are read one after another, with 100 recipients each.
  expect(dispatchMs(100)).toBeCloseTo(500 + 20 + 3 + 12 + 100, 9);
  expect(dispatchMs(10_000)).toBeCloseTo(50 + 10 + 3 + 0.12 + 100, 9);
  // 60,000 requests, and 600 batches of the stream.
  expect(monthOf({ ...oneHour, bulkSize: 1 })('push')['invocations']).toBe(60_600);
});

test('a list takes StartSync 3 ms of a whole vCPU and 0.01 ms a place, ProcessSync 0.016 and 0.06 for a change, a bulk send 2.6 ms and 0.012 ms a recipient', () => {
  const added = (name: string, fewer: Partial<Load>, more: Partial<Load>) =>
    msOf(name, { ...oneHour, ...more }) - msOf(name, { ...oneHour, ...fewer });
  expect(added('StartSync', { places: 500 }, { places: 10_500 })).toBeCloseTo(100, 9);
  // 10,000 more places take five more pages of 2,000, each with one call of the table.
  const unchanged = { places: 10_000, changedPercent: 0 };
  expect(added('ProcessSync', { places: 0, changedPercent: 0 }, unchanged)).toBeCloseTo(25 + 160, 9);
  // 10,000 places are written in 100 rounds of calls.
  expect(added('ProcessSync', unchanged, { places: 10_000, changedPercent: 100 })).toBeCloseTo(1_100, 9);
  // 10,000 recipients take 11 more rounds of reads and 2 more of writes.
  expect(added('SendBulk', { bulkSize: 1_000 }, { bulkSize: 10_000 })).toBeCloseTo(65 + 108, 9);
});

test('GB-seconds are of the memory that infra/config.ts gives: 1,769 MB to bulk sends', () => {
  const push = monthOf(oneHour)('push');
  // 6 invocations of 212.6 ms (18 table calls) and 6 of 163.12 ms (ten parts, one queue call), with 1.7275 GB.
  expect(push['gbSeconds']).toBeCloseTo(6 * (0.2126 + 0.16312) * (1_769 / 1_024), 6);
});

test('lists without places are not sent', () => {
  expect(monthOf({ ...quiet, syncsADay: 4 })('service points')).toMatchObject({ writes: 0, invocations: 0 });
});

test('without hours or days on which they are sent there are no pushes at any second', () => {
  for (const never of [{ hours: 0 }, { pushDays: 0 }]) {
    const { pushes, states, callbacks } = countEvents({ ...oneHour, ...never });
    expect([pushes.second, states.second, callbacks.second]).toEqual([0, 0, 0]);
  }
});

test('100 check-ins a day are 15,000 requests a month, three lists for each', () => {
  const usage = monthOf({ ...quiet, checkInsADay: 100 })('check-ins');
  expect(usage).toMatchObject({ reads: 22_500, writes: 15_000, httpRequests: 15_000, invocations: 15_000 });
});

test('a daily list of 1,000 places, 10 of them changed', () => {
  const usage = monthOf({ ...quiet, places: 1_000, syncsADay: 1, changedPercent: 1 })('service points');
  expect(usage['reads']).toBeCloseTo(2_568, 6);
  expect(usage).toMatchObject({ writes: 390, fifoQueueRequests: 150, httpRequests: 180, invocations: 210 });
});

test('a message on a sandbox is shown, read and opened on a phone, and its callbacks are taken by a receiver', () => {
  const month = monthOf(presets.sandbox);
  // 30,000 messages write a phone's row and its opening; 60,000 callbacks, two rows of the receiver and one of the log.
  expect(month('simulated wallet')).toMatchObject({ invocations: 180_000, httpRequests: 120_000 });
  expect(month('simulated wallet')['writes']).toBeCloseTo(2 * 30_000 + 3 * 60_000, 6);
  // A phone shows 100 messages, which take 10 units to read, and 10 again when one is opened.
  expect(month('simulated wallet')['reads']).toBeCloseTo(21 * 30_000 + 60_000, 6);
  expect(month('standing')).toMatchObject({ alarms: 88, standardQueueRequests: 43_200 * 9 * 5 * 3 });
  expect(monthOf({ ...presets.sandbox, simulatedWallet: 0 })('simulated wallet')['invocations']).toBe(0);
});

test('a function asks for the key of the table 24 times an hour at most, and never more often than it runs', () => {
  // Three functions run while nothing is to do.
  expect(monthOf(quiet)('standing')['keyRequests']).toBe(3 * 24 * 720);
  // Ten check-ins a month run two functions ten times, and the third thirty times.
  const few = monthOf({ ...quiet, checkInsADay: 10 / 30, partners: 1 })('check-ins');
  expect(few['keyRequests']).toBeCloseTo(10 + 10 + 30, 9);
  // A hundred a day: 3,000, 3,000 and 9,000 in a month, below the most.
  expect(monthOf({ ...quiet, checkInsADay: 100, partners: 1 })('check-ins')['keyRequests']).toBe(15_000);
  expect(monthOf({ ...quiet, checkInsADay: 10_000, partners: 1 })('check-ins')['keyRequests']).toBe(51_840);
});

test('metrics are charged for the hours that report them: one by the minutely run, eight while pushes are sent', () => {
  expect(monthOf(quiet)('standing')['customMetrics']).toBe(1);
  expect(monthOf(oneHour)('push')['customMetrics']).toBeCloseTo(8 / 720, 9);
  expect(monthOf({ ...quiet, checkInsADay: 100 })('check-ins')['customMetrics']).toBe(2);
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
