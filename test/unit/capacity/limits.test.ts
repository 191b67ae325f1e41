import { describe, expect, test } from 'vitest';
import { limitsOf } from '../../../bench/capacity/limits.ts';
import { type Load, presets } from '../../../bench/capacity/load.ts';
import { usageOf } from '../../../bench/capacity/usage.ts';

function limitsFor(load: Load) {
  return limitsOf(load, usageOf(load));
}

const million = presets['million-a-minute'];

describe('the limits', () => {
  const limits = limitsFor(million);
  const limit = (what: RegExp) => limits.find((one) => what.test(one.what));

  test('of a million pushes a minute: one does not hold, and stands first', () => {
    expect(limits.filter(({ multiple }) => multiple < 1)).toHaveLength(1);
    expect(limit(/bucket of one partner/)?.multiple).toBeCloseTo(2.4, 6);
    expect(limit(/DeliverCallback/)?.multiple).toBeCloseTo(0.337, 3);
    expect(limits[0]?.multiple).toBeCloseTo(0.337, 3);
  });

  test('of the table: states, failing callbacks, check-ins, requests and slices write', () => {
    // 33,333 states, 333 failing callbacks of 8 units, 28 check-ins of 5, 1.7 requests of 82, slices.
    expect(limit(/^write units/)?.used).toBeCloseTo(33_333.33 + 2_666.67 + 138.89 + 136.67 + 0.39, 1);
  });

  test('of functions: 3,367 batches of ten callbacks begin each second and last 176 ms', () => {
    expect(limit(/DeliverCallback/)).toMatchObject({ limit: 200, by: 'infra/config.ts' });
    expect(limit(/DeliverCallback/)?.used).toBeCloseTo(593.3, 1);
    expect(limit(/in flight/)?.used).toBeCloseTo(5_932.5, 0);
  });

  test('of functions without a reservation: they share the 750 that the others leave of 1,000', () => {
    const others = limit(/^functions at once/);
    expect(others?.limit).toBe(750);
    expect(others?.used).toBeCloseTo(656.1, 1);
    expect(others?.multiple).toBeCloseTo(1.143, 3);
    const reserved = limits.filter(({ what }) => /^(AuthorizePartner|.+CheckIns?) at once/.test(what));
    expect(reserved.map((one) => one.limit).toSorted()).toEqual([100, 50, 50, 50]);
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

  test('a small chain is far from all of them', () => {
    const multiples = limitsFor(presets['small-chain']).map(({ multiple }) => multiple);
    expect(Math.min(...multiples)).toBeGreaterThan(50);
  });
});
