import type { SQSRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import type { AttemptResult } from '../../../shared/platform/egress/attempt-result.ts';
import { second } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { type Attempted, callbacksRig, ok } from './callbacks-rig.ts';

/** A 200 after this many milliseconds. */
function after(durationMs: number): AttemptResult {
  return { ...ok, durationMs };
}

const timeout: AttemptResult = { ok: false, error: 'timeout', durationMs: 15_000 };

/** Sets up partners `p0` to `p9` with the responses they give, and a worker per lane that records its calls. */
async function tenPartners() {
  const rig = await callbacksRig();
  const responses = new Map<string, AttemptResult>();
  const urlOf = (partnerId: string) => `https://${partnerId}.example/status`;
  for (let n = 0; n < 10; n++) await rig.saveEndpoint(urlOf(`p${n}`), { partnerId: `p${n}` });
  const told: (Attempted & { lane: string })[] = [];
  const clientOf = (lane: string) =>
    rig.partnerThat((attempt) => {
      told.push({ lane, ...attempt });
      return responses.get(attempt.url) ?? ok;
    }).client;
  const newFast = () => rig.newWorker({ client: clientOf('fast') });
  const slow = rig.newWorker({ client: clientOf('slow'), lane: { name: 'slow' } });
  const response = (partnerId: string, result: AttemptResult) => responses.set(urlOf(partnerId), result);
  /** Returns a batch with one callback to each partner. */
  const batch = async (name: string): Promise<SQSRecord[]> => {
    for (let n = 0; n < 10; n++) await rig.change(`p${n}-${name}`, { partnerId: `p${n}` });
    return rig.records();
  };
  const toldTo = (partnerId: string) =>
    told.filter(({ messageId }) => messageId.startsWith(partnerId)).map(({ lane, id }) => `${lane} ${id}`);
  return { ...rig, told, newFast, slow, response, batch, toldTo };
}

const rig = inEachTest(tenPartners);

test('rule 24: after one batch a partner that takes 5 s is in no batch with the others, and hears everything from the slow lane, as it was sent', async () => {
  rig.response('p3', after(5 * second));
  const fast = rig.newFast();
  rig.table.units();
  const bodies: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const Records = await rig.batch(name);
    bodies.push(...Records.flatMap(({ body }) => (body.includes('p3-') ? body : [])));
    expect(await fast({ Records })).toEqual({ batchItemFailures: [] });
  }
  // The fast lane made 36 calls to the nine others, and the one by which it learned that p3 is slow.
  expect(rig.told.filter(({ lane }) => lane === 'fast')).toHaveLength(37);
  expect(rig.toldTo('p3')).toEqual(['fast p3-a-DELIVERED']);
  const passed = rig.slowRecords();
  expect(passed.map(({ body }) => body)).toEqual(bodies.slice(1));
  expect(rig.slowQueue.groups).toEqual(['p3', 'p3', 'p3']);
  expect(await rig.slow({ Records: passed })).toEqual({ batchItemFailures: [] });
  expect(rig.toldTo('p3').sort()).toEqual([
    'fast p3-a-DELIVERED',
    'slow p3-b-DELIVERED',
    'slow p3-c-DELIVERED',
    'slow p3-d-DELIVERED',
  ]);
  // The speed of an endpoint is known in memory only: no row is written, and each lane reads the ten endpoints once.
  expect(rig.table.units()).toMatchObject({ read: 5.5, write: 0 });
});

test('a retry goes to the slow lane with its turn, and is attempted there once', async () => {
  rig.response('p3', timeout);
  const fast = rig.newFast();
  await fast({ Records: await rig.batch('a') });
  rig.records(); // discards the delayed message
  rig.clock.advance(5 * second);
  await rig.sweep();
  const before = await rig.row('p3-a');
  await fast({ Records: rig.records() });
  expect(await rig.row('p3-a')).toEqual(before);
  rig.response('p3', after(5 * second));
  const passed = rig.slowRecords();
  await rig.slow({ Records: [...passed, ...passed] });
  expect(rig.toldTo('p3')).toEqual(['fast p3-a-DELIVERED', 'slow p3-a-DELIVERED']);
  expect(await rig.row('p3-a')).toMatchObject({ status: 'delivered', tries: 2 });
});

test('while its circuit is open a slow endpoint is nobody’s: rows are written at once, and a probe stays in the fast lane', async () => {
  rig.response('p3', timeout);
  const fast = rig.newFast();
  for (let n = 0; n < 5; n++) await rig.change(`p3-m${n}`, { partnerId: 'p3' });
  await fast({ Records: rig.records() });
  rig.records(); // discards the delayed messages
  await rig.change('p3-open', { partnerId: 'p3' });
  await fast({ Records: rig.records() });
  expect([rig.toldTo('p3').length, rig.slowRecords().length]).toEqual([5, 0]);
  rig.clock.advance(31 * second);
  await rig.change('p3-probe', { partnerId: 'p3' });
  await fast({ Records: rig.records() });
  expect(rig.toldTo('p3').at(-1)).toBe('fast p3-probe-DELIVERED');
  expect(rig.slowRecords()).toEqual([]);
});
