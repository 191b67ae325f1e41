import { describe, expect, test } from 'vitest';
import { estimateLimits } from '../../../bench/capacity/limits.ts';
import { type Load, presets } from '../../../bench/capacity/load.ts';
import { estimateUsage } from '../../../bench/capacity/usage.ts';

function limitsFor(load: Load) {
  return estimateLimits(load, estimateUsage(load));
}

const million = presets['million-a-minute'];

describe('the limits', () => {
  const limits = limitsFor(million);
  const limit = (what: RegExp) => limits.find((one) => what.test(one.what));

  test('of a million pushes a minute hold, and the workers for callbacks are the nearest', () => {
    expect(limits.filter(({ multiple }) => multiple < 1)).toEqual([]);
    expect(limit(/bucket of one partner/)?.multiple).toBeCloseTo(5.714, 3);
    expect(limits[0]).toBe(limit(/DeliverCallback/));
    expect(limits[0]?.multiple).toBeCloseTo(1.36, 3);
  });

  test('of the table: rows of states, failing callbacks, check-ins, requests and lists write', () => {
    // 1,400 rows of ten states, 140 failing callbacks of 11 units, 28 check-ins of 5, 1.7 requests of 83, and lists.
    expect(limit(/^write units/)?.used).toBeCloseTo(1_400 + 1_540 + 138.89 + 138.33 + 0.28, 1);
  });

  test('of functions without a reservation: they share the 580 that the others leave of 1,000', () => {
    const others = limit(/^functions at once/);
    expect(others?.limit).toBe(580);
    expect(others?.used).toBeCloseTo(151.3, 1);
    expect(others?.multiple).toBeCloseTo(3.833, 3);
    const reserved = limits.filter(({ what }) => /CheckIns? at once/.test(what));
    expect(reserved.map((one) => one.limit).toSorted()).toEqual([50, 50, 50]);
  });

  test('are none when nothing is to be done', () => {
    const idle = { ...presets['small-chain'], hours: 0, syncsADay: 0, checkInsADay: 0 };
    expect(limitsFor(idle)).toEqual([]);
  });

  test('single messages at that rate meet the throttle of their route first', () => {
    const [first] = limitsFor({ ...million, bulkSize: 1 });
    expect(first?.what).toBe('requests a second to the route of pushes');
    expect(first?.multiple).toBeCloseTo(0.12, 6);
  });
});
