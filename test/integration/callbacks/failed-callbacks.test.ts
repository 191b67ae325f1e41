import { expect, test } from 'vitest';
import { failedCallbacks } from '../../../shared/callbacks/endpoint/failed-callbacks.ts';
import { minute } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { shownEvents } from '../../support/shown-events.ts';
import { callbacksRig } from './callbacks-rig.ts';

async function failingRig() {
  const rig = await callbacksRig();
  const { count, tellIfDue } = failedCallbacks(rig.table);
  const told = async () => {
    const all = await shownEvents(rig);
    return all.filter(({ kind }) => kind === 'callbacks.failed').map(({ data }) => data['count']);
  };
  return { ...rig, tellIfDue, told, count: () => count('bars', rig.clock.now()) };
}

const rig = inEachTest(failingRig);

test('rule 55: the first callback that fails is told at once, then hourly how many have since', async () => {
  await rig.count();
  expect(await rig.told()).toEqual([1]);
  const keptUntil = rig.clock.now() / 1_000 + 30 * 86_400;
  expect(await rig.table.rows()).toContainEqual(expect.objectContaining({ untold: 0, expiresAt: keptUntil }));
  rig.clock.advance(10 * minute);
  await rig.count();
  await rig.count();
  rig.clock.advance(49 * minute);
  await rig.sweep();
  expect(await rig.told()).toEqual([1]);
  rig.clock.advance(minute);
  await rig.sweep();
  expect(await rig.told()).toEqual([2, 1]);
  for (let hours = 0; hours < 3; hours++) {
    rig.clock.advance(60 * minute);
    await rig.sweep();
  }
  expect(await rig.told()).toEqual([2, 1]);
  await rig.count();
  expect(await rig.told()).toEqual([1, 2, 1]);
});

test('rule 55: an hour that no run of the sweep ended is told with the next failure', async () => {
  for (const waitMs of [minute, 119 * minute, 0]) {
    await rig.count();
    rig.clock.advance(waitMs);
  }
  expect(await rig.told()).toEqual([2, 1]);
});

test('rule 55: an index that still shows the hour before ends none too early', async () => {
  await rig.count();
  await rig.count();
  await rig.tellIfDue('bars', rig.clock.now() + 2 * minute);
  expect(await rig.told()).toEqual([1]);
});

test('rule 55: of many at once each is counted', async () => {
  await Promise.all(Array.from({ length: 20 }, rig.count));
  rig.clock.advance(60 * minute);
  await Promise.all([rig.sweep(), rig.sweep()]);
  expect(await rig.told()).toEqual([19, 1]);
});

test('rule 55: a callback that fails its last attempt is counted, and an alert is not', async () => {
  const post = async () => ({ ok: false, error: 'status', httpStatus: 500, durationMs: 1 }) as const;
  for (const partnerId of ['bars#alerts', 'bars']) {
    expect(await rig.told()).toEqual([]);
    await rig.saveEndpoint('https://bars.example/status', { partnerId });
    await rig.keepOne(partnerId, { partnerId, tries: 9 });
    await rig.sweepAndWork(rig.newWorker({ client: { post } }));
    expect(await rig.row(partnerId)).toMatchObject({ status: 'failed' });
  }
  expect(await rig.told()).toEqual([1]);
});
