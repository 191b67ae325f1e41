import { describe, expect, test } from 'vitest';
import type { Resource } from '../../../bench/capacity/prices.ts';
import { estimateCost } from '../../../bench/capacity/report.ts';
import type { Usage } from '../../../bench/capacity/usage.ts';

function onceAMonth(area: string, use: Partial<Record<Resource, number>>): Usage {
  return { area, times: { month: 1, second: 0 }, use };
}

const million = 1_000_000;

describe('the bill', () => {
  test('charges each thing at its published price', () => {
    const { byService, byArea } = estimateCost([
      onceAMonth('push', {
        ...{ writes: 2 * million, reads: 4 * million, storedGb: 10, httpRequests: 3 * million, gbOut: 100 },
        ...{ invocations: 10 * million, gbSeconds: 300_000, standardQueueRequests: million },
        ...{ fairQueueRequests: 2 * million, fifoQueueRequests: 4 * million },
      }),
    ]);
    // Writes cost 1.25, reads 0.5, and 10 GB cost 0.45 each.
    expect(byService['DynamoDB']).toBeCloseTo(6.25, 9);
    // Invocations cost 2, and 300,000 GB-seconds cost 0.0000133334 each.
    expect(byService['Lambda']).toBeCloseTo(6.00002, 9);
    // Standard requests cost 0.4 for one million; fair ones 0.5 for each of two, and FIFO ones 0.5 for each of four.
    expect(byService['SQS']).toBeCloseTo(3.4, 9);
    expect(byService['API Gateway']).toBeCloseTo(3, 9);
    expect(byService['data out']).toBeCloseTo(9, 9);
    // A twentieth of ten million invocations is traced, at 5 dollars per million.
    expect(byService['X-Ray']).toBeCloseTo(2.5, 9);
    expect(byArea['push']).toBeCloseTo(30.15002, 9);
  });
});
