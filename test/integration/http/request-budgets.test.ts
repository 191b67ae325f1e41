import { describe, expect, test } from 'vitest';
import { type Budget, requestBudgets } from '../../../shared/platform/limits/request-budget.ts';
import { fakeClock } from '../../support/clock.ts';
import { bakery, bars, forBars, refusal } from '../../support/http.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { newTable } from '../../support/table.ts';
import { checkInRig } from '../check-ins/check-in-rig.ts';
import { content, pushRig } from '../push/push-rig.ts';

const phone = 79_001_234_567;

describe('rule 48: the budget of a partner, over all instances', () => {
  const rig = inEachTest(async () => ({ table: await newTable(), clock: fakeClock() }));
  const instancesOf = (count: number) => Array.from({ length: count }, () => requestBudgets(rig.table));
  type Instance = ReturnType<typeof requestBudgets>;
  const isServed = async (instance: Instance, budget: Budget = 'others', partnerId = 'bars') =>
    (await instance.take({ partnerId, limits: {} }, { budget, requests: 1 }, rig.clock.now())) === undefined;
  /** Sends requests in rounds: in each round every instance gets one, all at once. */
  const served = async (instances: Instance[], rounds: number, budget?: Budget) => {
    let count = 0;
    for (let round = 0; round < rounds; round++) {
      const each = await Promise.all(instances.map((instance) => isServed(instance, budget)));
      count += each.filter(Boolean).length;
    }
    return count;
  };

  test('one instance serves exactly each budget, which takes nothing from another, or from another partner', async () => {
    const [instance] = instancesOf(1) as [Instance];
    expect(await served([instance], 1_100)).toBe(1_000);
    expect(await served([instance], 1_100, 'tills')).toBe(1_000);
    expect(await served([instance], 100, 'heavy')).toBe(60);
    expect(await isServed(instance, 'heavy', 'bakery')).toBe(true);
    const [another] = instancesOf(1) as [Instance];
    for (let n = 0; n < 10; n++) expect(await isServed(another, 'heavy', 'bakery')).toBe(true);
  });

  test('a refused request that counts as several says as how many', async () => {
    const [instance] = instancesOf(1) as [Instance];
    const refusalOf = async (requests: number, before = 0) => {
      const payer = { partnerId: 'bars', limits: { otherRequests: 60 } };
      return (await instance.take(payer, { budget: 'others', requests, before }, rig.clock.now()))?.errors;
    };
    const counting = (as: number) =>
      `requests: 60 in 10 s over all keys of the partner, this request counts as ${as}, ask again in 10 s`;
    expect(await refusalOf(50)).toBeUndefined();
    expect(await refusalOf(50)).toEqual([counting(50)]);
    expect(await refusalOf(11, 1)).toEqual([counting(12)]);
    expect(await refusalOf(100)).toEqual([counting(60)]);
  });

  test('a refused request that counts as several leaves room for those that fit, in all instances', async () => {
    const [first, second] = instancesOf(2) as [Instance, Instance];
    await served([first], 964);
    const many = { budget: 'others', requests: 50 } as const;
    const leftFor = async (instance: Instance) => {
      const refused = await instance.take({ partnerId: 'bars', limits: {} }, many, rig.clock.now());
      return refused?.headers?.['ratelimit'];
    };
    const left36 = '"requests";r=36;t=10';
    expect([await leftFor(first), await leftFor(second)]).toEqual([left36, left36]);
    rig.table.units();
    expect([await leftFor(first), await leftFor(second)]).toEqual([left36, left36]);
    expect(rig.table.units()).toMatchObject({ calls: 0 });
    expect(await served([second], 40)).toBe(36);
  });

  test.each([
    [10, 'others', 1_000],
    [20, 'heavy', 60],
  ] as const)(
    '%i instances serve at least the budget of %s, and at most half more',
    async (count, budget, limit) => {
      const total = await served(instancesOf(count), Math.ceil((3 * limit) / count), budget);
      expect(total).toBeGreaterThanOrEqual(limit);
      expect(total).toBeLessThanOrEqual(limit * 1.5);
    },
  );

  test('140 instances, few requests of heavy for each to serve them unseen, are seen in the next window', async () => {
    const instances = instancesOf(140);
    expect(await served(instances, 1, 'heavy')).toBe(140);
    rig.clock.advance(10_000);
    expect(await served(instances, 1, 'heavy')).toBeLessThanOrEqual(72);
  });

  test.each([
    [104, 6, 1],
    [104, 7, 0],
    [84, 1, 0],
  ])(
    'after %i of 1,000 requests, the first request of an instance %i windows later costs %i write',
    async (requests, windows, write) => {
      const [instance] = instancesOf(1) as [Instance];
      await served([instance], requests);
      rig.clock.advance(windows * 10_000);
      rig.table.units();
      await isServed(instance);
      expect(rig.table.units()).toMatchObject({ write });
    },
  );

  test('the first requests of an instance cost nothing, later ones a write in 20, refused ones nothing', async () => {
    const [instance] = instancesOf(1) as [Instance];
    for (let n = 0; n < 3; n++) await isServed(instance, 'tills');
    await isServed(instance, 'heavy');
    expect(rig.table.units()).toEqual({ read: 0, write: 0, calls: 0 });
    for (let n = 3; n < 103; n++) await isServed(instance, 'tills');
    expect(rig.table.units()).toEqual({ read: 0, write: 5, calls: 5 });
    while (await isServed(instance, 'tills'));
    rig.table.units();
    for (let n = 0; n < 1_000; n++) expect(await isServed(instance, 'tills')).toBe(false);
    expect(rig.table.units()).toEqual({ read: 0, write: 0, calls: 0 });
  });
});

describe('rule 48: a request over the budget', () => {
  const limited = (partner: object, limits: object) => ({ partner: { ...bars, ...partner, limits } });

  test('of a cash desk is 429, says when to ask again, does nothing and leaves a line with the partner', async () => {
    const rig = await checkInRig();
    await rig.opened('card-1');
    const overTills = { ...forBars, ...limited({}, { tillRequests: 3 }) };
    for (let n = 0; n < 3; n++) await rig.list('p1', overTills);
    const lines = collectLines();
    rig.clock.advance(6_200);
    rig.table.units();
    const sentence = 'requests: 3 of cash desks in 10 s over all keys of the partner, ask again in 4 s';
    expect(await rig.register(1, overTills)).toMatchObject({
      ...refusal(429, 'REQUEST_LIMIT_EXCEEDED', sentence),
      headers: {
        'retry-after': '4',
        'x-error': 'REQUEST_LIMIT_EXCEEDED',
        'ratelimit-policy': '"requests";q=3;w=10',
        ratelimit: '"requests";r=0;t=4',
      },
    });
    expect(lines.at(-1)).toMatchObject({
      ...{ code: 'RegisterCheckIn', callerId: 'bars', budget: 'tills' },
      ...{ refusal: 'REQUEST_LIMIT_EXCEEDED', outcome: 'refused', OverBudget: 1 },
    });
    expect(rig.table.units()).toMatchObject({ read: 0, write: 0 });
    const ofBakery = { partner: bakery, headers: { offerid: 'bakery-club' } };
    expect(await rig.list('p1', ofBakery)).toMatchObject({ status: 200 });
    rig.clock.advance(3_800);
    expect(await rig.register(1, overTills)).toMatchObject({ status: 200 });
  });

  test('counts requests too whose path is refused', async () => {
    const rig = await checkInRig();
    const request = { ...forBars, ...limited({}, { tillRequests: 2 }), query: { placeId: 'p1' } };
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await rig.list('p1', request)).status);
    expect(statuses).toEqual([400, 400, 429]);
  });

  test('of a single message is 429 with an empty body, and leaves its Idempotency-Key free', async () => {
    const rig = await pushRig();
    await rig.register(phone);
    const over = limited({}, { otherRequests: 4 });
    for (let n = 0; n < 4; n++) await rig.single({ ...content, msisdn: phone }, over);
    rig.table.units();
    const keyed = { ...over, headers: { 'idempotency-key': 'k' } };
    const told =
      'REQUEST_LIMIT_EXCEEDED; requests: 4 in 10 s over all keys of the partner, ask again in 10 s';
    const refused = { status: 429, body: '', headers: { 'x-error': told } };
    expect(await rig.single({ ...content, msisdn: phone }, keyed)).toMatchObject(refused);
    expect(rig.table.units()).toEqual({ read: 0, write: 0, calls: 0 });
    rig.clock.advance(10_000);
    expect(await rig.single({ ...content, msisdn: phone }, keyed)).toMatchObject({ status: 200 });
  });

  test('of a bulk send is 503 with this code, as the contract has it', async () => {
    const rig = await pushRig();
    const over = limited({}, { heavyRequests: 2 });
    for (let n = 0; n < 2; n++) await rig.bulk({ ...content, msisdn: [phone] }, over);
    const sentence =
      'requests: 2 for lists, examinations, bulk sends and their cancellation, reports, replays and sessions with many errors in 10 s over all keys of the partner, ask again in 10 s';
    expect(await rig.bulk({ ...content, msisdn: [phone] }, over)).toMatchObject({
      ...refusal(503, 'REQUEST_LIMIT_EXCEEDED', sentence),
      headers: { 'retry-after': '10' },
    });
  });

  test('is not made by a key that may not make it: what it asks for is not taken from its partner', async () => {
    const rig = await checkInRig();
    const tills = { tillRequests: 4 };
    const observer = { ...forBars, ...limited({ role: 'observer' }, tills) };
    const elsewhere = { ...limited({}, tills), headers: { offerid: 'bakery-club' } };
    for (let n = 0; n < 5; n++) {
      expect((await rig.register(1, observer)).status).toBe(403);
      expect((await rig.list('p1', elsewhere)).status).toBe(403);
    }
    expect((await rig.list('p1', { ...forBars, ...limited({}, tills) })).status).toBe(200);
  });
});

test('rule 48: a request is served when the table does not take the count', async () => {
  const rig = await checkInRig();
  rig.deps.budgets.take = () => Promise.reject(new Error('throttled'));
  const lines = collectLines();
  expect(await rig.list()).toMatchObject({ status: 200 });
  expect(lines).toMatchObject([{ requestsNotCounted: 'Error' }]);
});
