import { expect, test } from 'vitest';
import { type Load, presets, ratesOf } from '../../../bench/capacity/load.ts';
import { usageOf } from '../../../bench/capacity/usage.ts';

const quiet: Load = {
  ...presets['small-chain'],
  ...{ partners: 1, places: 0, syncsADay: 0, checkInsADay: 0, pushesAMinute: 0 },
};

test('a million pushes a minute, all opened, are 33,333 states and callbacks a second', () => {
  const rates = ratesOf(presets['million-a-minute']);
  expect(rates.pushesASecond).toBeCloseTo(16_666.67, 2);
  expect(rates.pushRequestsASecond).toBeCloseTo(1.667, 3);
  expect(rates.statesASecond).toBeCloseTo(33_333.33, 2);
  expect(rates.callbacksASecond).toBeCloseTo(33_333.33, 2);
  expect(rates.failingCallbacksASecond).toBeCloseTo(333.33, 2);
  expect(rates.checkInsASecond).toBeCloseTo(27.78, 2);
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
  const { push } = usageOf(oneHour);
  expect(push.writes).toBe(492);
  expect(push.reads).toBe(30_120);
  expect(push.httpRequests).toBe(6);
  // 60 messages for 500 phones each: 30 kB, sent, received and deleted.
  expect(push.standardQueueRequests).toBe(180);
});

test('30,000 receipts are 30,000 writes, and three reads for each message of 500', () => {
  const { receipts } = usageOf(oneHour);
  expect(receipts).toMatchObject({ writes: 30_000, reads: 180, invocations: 12 });
});

test('30,000 callbacks of which 3,000 fail once cost writes for the failures alone', () => {
  const { callbacks } = usageOf(oneHour);
  expect(callbacks.writes).toBe(24_000);
  expect(callbacks.reads).toBe(4_650);
  expect(callbacks.fairQueueRequests).toBe(12_600);
  expect(callbacks.invocations).toBe(300 + 3_300);
  expect(callbacks.gbOut).toBeCloseTo(0.0495, 6);
});

test('single messages cost a write each, and a lease for a thousand', () => {
  const { push, receipts } = usageOf({ ...oneHour, bulkSize: 1 });
  expect(push).toMatchObject({ writes: 60_060, reads: 30_000, httpRequests: 60_000 });
  expect(receipts.reads).toBe(30_000);
});

test('100 check-ins a day are 15,000 requests a month, three lists for each', () => {
  const usage = usageOf({ ...quiet, checkInsADay: 100 })['check-ins'];
  expect(usage).toMatchObject({ reads: 19_500, writes: 15_000, httpRequests: 15_000, invocations: 15_000 });
});

test('a daily list of 1,000 places, 10 of them changed', () => {
  const usage = usageOf({ ...quiet, places: 1_000, syncsADay: 1, changedPercent: 1 })['service points'];
  expect(usage.reads).toBeCloseTo(2_538, 6);
  expect(usage).toMatchObject({ writes: 510, fifoQueueRequests: 180, httpRequests: 180, invocations: 240 });
});

test('nothing to do costs the minutely run and the polling of five queues', () => {
  const { standing, push, callbacks } = usageOf(quiet);
  expect(standing).toMatchObject({
    reads: 194_400,
    writes: 0,
    invocations: 43_200,
    standardQueueRequests: 3_240_000,
  });
  expect(push.writes + push.invocations + callbacks.invocations).toBe(0);
});
