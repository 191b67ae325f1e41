import { describe, expect, test } from 'vitest';
import { costOf } from '../../../bench/capacity/cost.ts';
import { demandOf } from '../../../bench/capacity/limits.ts';
import { presets } from '../../../bench/capacity/load.ts';
import { prices } from '../../../bench/capacity/prices.ts';
import { quotas } from '../../../bench/capacity/quotas.ts';
import { areas, type MonthlyUsage, type Usage } from '../../../bench/capacity/usage.ts';

const nothing: Usage = {
  ...{ reads: 0, writes: 0, httpRequests: 0, standardQueueRequests: 0, fairQueueRequests: 0 },
  ...{ fifoQueueRequests: 0, invocations: 0, gbSeconds: 0, logGb: 0, gbOut: 0, storedGb: 0 },
};

function onlyPush(usage: Partial<Usage>): MonthlyUsage {
  return {
    ...(Object.fromEntries(areas.map((area) => [area, nothing])) as MonthlyUsage),
    push: { ...nothing, ...usage },
  };
}

const million = 1_000_000;

describe('the bill', () => {
  test('of a service that does nothing is alarms, metrics, a dashboard and a key', () => {
    const { total, byService, byArea } = costOf(onlyPush({}));
    expect(byService.CloudWatch).toBeCloseTo(3 + 3 + 18, 9);
    expect(byService.KMS).toBeCloseTo(1 + 1.5, 9);
    expect(total).toBeCloseTo(26.5, 9);
    expect(byArea.standing).toBeCloseTo(26.5, 9);
  });

  test('charges each thing at its published price', () => {
    const { byService, byArea } = costOf(
      onlyPush({
        ...{ writes: 2 * million, reads: 4 * million, storedGb: 10, httpRequests: 3 * million, gbOut: 100 },
        ...{ invocations: 10 * million, gbSeconds: 300_000, standardQueueRequests: million },
        ...{ fairQueueRequests: 2 * million, fifoQueueRequests: 4 * million },
      }),
    );
    // 1.25 + 0.5 + 10 GB at 0.45
    expect(byService.DynamoDB).toBeCloseTo(6.25, 9);
    // 2 + 300,000 at 0.0000133334
    expect(byService.Lambda).toBeCloseTo(6.00002, 9);
    // 0.4 + 2 at 0.5 + 4 at 0.5
    expect(byService.SQS).toBeCloseTo(3.4, 9);
    expect(byService['API Gateway']).toBeCloseTo(3, 9);
    expect(byService['data out']).toBeCloseTo(9, 9);
    // A twentieth of ten million at 5 dollars a million.
    expect(byService['X-Ray']).toBeCloseTo(2.5, 9);
    expect(byArea.push).toBeCloseTo(30.15002, 9);
  });

  test('charges a GB of log for coming in, and for the 90 days that its compressed part is kept', () => {
    // 0.5, and three months of 0.15 GB at 0.03.
    expect(costOf(onlyPush({ logGb: 10 })).byArea.push).toBeCloseTo(5.135, 9);
  });

  test('stands on prices and quotas that say where they are from', () => {
    for (const { source, date } of Object.values(prices)) {
      expect(source).toMatch(/^https:|^known/);
      expect(date).toMatch(/^20\d\d/);
    }
    for (const { source } of Object.values(quotas)) expect(source).toMatch(/^https:/);
  });
});

describe('the limits', () => {
  const { limits, partitions, needs, writesASecond } = demandOf(presets['million-a-minute']);
  const at = (what: RegExp) => limits.find((limit) => what.test(limit.what))?.multiple;

  test('of a million pushes a minute: one does not hold, and stands first', () => {
    expect(limits.filter(({ multiple }) => multiple < 1)).toHaveLength(1);
    expect(at(/bucket of one partner/)).toBeCloseTo(2.4, 6);
    expect(at(/DeliverCallback/)).toBeCloseTo(0.337, 3);
    expect(limits[0]?.multiple).toBeCloseTo(0.337, 3);
  });

  test('of the table: a partition for each thousand writes a second', () => {
    // 33,333 states, 333 failing callbacks of 8 units, 28 check-ins of 5, 1.7 requests of 82, slices.
    expect(writesASecond).toBeCloseTo(33_333.33 + 2_666.67 + 138.89 + 136.67 + 0.39, 1);
    expect(partitions).toBe(37);
  });

  test('of functions: a batch of ten callbacks lasts 176 ms, and 3,367 begin each second', () => {
    const deliver = needs.find(({ name }) => name === 'DeliverCallback');
    expect(deliver?.ms).toBeCloseTo(176.2, 1);
    expect(deliver?.atOnce).toBeCloseTo(593.3, 1);
    expect(deliver?.cap).toBe(200);
  });

  test('of functions without a reservation: they share the 750 that the others leave of 1,000', () => {
    const others = limits.find(({ what }) => what.startsWith('functions at once'));
    expect(others?.limit).toBe(750);
    expect(others?.used).toBeCloseTo(656.1, 1);
    expect(others?.multiple).toBeCloseTo(1.143, 3);
    const reserved = needs.filter(({ name }) => /^(AuthorizePartner|.+CheckIns?)$/.test(name));
    expect(reserved.map(({ cap }) => cap)).toEqual([100, 50, 50, 50]);
  });

  test('know no stream: a shard gets the 1,000 writes a second of a partition, and 2,460 can be followed', () => {
    expect(limits.filter(({ what }) => what.includes('shard that'))).toEqual([]);
    const fanOut = needs.find(({ name }) => name === 'FanOutStates');
    // A batch of 100.
    expect(100_000 / (fanOut?.ms ?? Number.NaN)).toBeCloseTo(2_460, -1);
  });

  test('of single messages: their hundred rows are dispatched at once', () => {
    const { needs: ofSingles } = demandOf({ ...presets['million-a-minute'], bulkSize: 1 });
    const dispatch = ofSingles.find(({ name }) => name === 'DispatchMessages');
    expect(dispatch?.invocationsASecond).toBeCloseTo(166.67, 2);
  });

  test('are none when nothing is to be done', () => {
    const idle = { ...presets['small-chain'], hours: 0, syncsADay: 0, checkInsADay: 0 };
    expect(demandOf(idle)).toMatchObject({ limits: [], newListSeconds: 0 });
  });

  test('single messages at that rate meet the throttle of their route first', () => {
    const { limits: ofSingles } = demandOf({ ...presets['million-a-minute'], bulkSize: 1 });
    expect(ofSingles[0]?.what).toBe('requests a second to the route of pushes');
    expect(ofSingles[0]?.multiple).toBeCloseTo(0.12, 6);
  });

  test('a small chain is far from all of them', () => {
    const { limits: ofSmall, partitions: few } = demandOf(presets['small-chain']);
    expect(Math.min(...ofSmall.map(({ multiple }) => multiple))).toBeGreaterThan(50);
    expect(few).toBe(4);
  });
});
