import { expect, test } from 'vitest';
import { failedCallbacks } from '../../../shared/callbacks/endpoint/failed-callbacks.ts';
import { minute } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { shownEvents } from '../../support/shown-events.ts';
import { callbacksRig } from './callbacks-rig.ts';
import { loopbackPartner, reply } from './loopback-partner.ts';

async function failingRig() {
  partner.responses(reply(500));
  const rig = await callbacksRig();
  await rig.saveEndpoint(partner.url);
  /** A callback whose last attempt is due, and fails. */
  const failLast = async (messageId: string, partnerId = 'bars') => {
    await rig.keepOne(messageId, { partnerId, tries: 9 });
    await rig.sweepAndWork();
  };
  const told = async () => {
    const all = await shownEvents(rig);
    return all.filter(({ kind }) => kind === 'callbacks.failed').map(({ data }) => data['count']);
  };
  return { ...rig, failLast, told };
}

const partner = inEachTest(loopbackPartner);
const rig = inEachTest(failingRig);

test('rule 55: the first callback that fails is told at once, then hourly how many have since', async () => {
  await rig.failLast('m1');
  expect(await rig.told()).toEqual([1]);
  const keptUntil = rig.clock.now() / 1_000 + 30 * 86_400;
  expect(await rig.table.rows()).toContainEqual(expect.objectContaining({ untold: 0, expiresAt: keptUntil }));
  rig.clock.advance(10 * minute);
  await rig.failLast('m2');
  await rig.failLast('m3');
  expect(await rig.told()).toEqual([1]);
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
  await rig.failLast('m4');
  expect(await rig.told()).toEqual([1, 2, 1]);
});

test('rule 55: an hour that no run of the sweep ended is told with the next failure', async () => {
  const { count } = failedCallbacks(rig.table);
  await count('bars', rig.clock.now());
  await count('bars', rig.clock.now() + minute);
  rig.clock.advance(120 * minute);
  await count('bars', rig.clock.now());
  expect(await rig.told()).toEqual([2, 1]);
});

test('rule 55: an index that still shows the hour before ends none too early', async () => {
  const { count, tellIfDue } = failedCallbacks(rig.table);
  await count('bars', rig.clock.now());
  await count('bars', rig.clock.now() + minute);
  await tellIfDue('bars', rig.clock.now() + 2 * minute);
  expect(await rig.told()).toEqual([1]);
});

test('rule 55: of many at once each is counted', async () => {
  const { count } = failedCallbacks(rig.table);
  await Promise.all(Array.from({ length: 20 }, () => count('bars', rig.clock.now())));
  rig.clock.advance(60 * minute);
  await Promise.all([rig.sweep(), rig.sweep()]);
  expect(await rig.told()).toEqual([19, 1]);
});

test('rule 55: an alert that fails every attempt causes none', async () => {
  await rig.saveEndpoint(partner.url, { partnerId: 'bars#alerts' });
  await rig.failLast('m1', 'bars#alerts');
  expect(await rig.row('m1')).toMatchObject({ status: 'failed' });
  expect(await rig.told()).toEqual([]);
});
