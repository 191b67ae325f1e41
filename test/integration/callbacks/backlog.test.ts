import { expect, test } from 'vitest';
import { type Circuit, withDrain } from '../../../shared/callbacks/endpoint/circuit.ts';
import { dueIndex } from '../../../shared/callbacks/rows/due-index.ts';
import { inParallel } from '../../../shared/platform/runtime/in-parallel.ts';
import { dueShardOf } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { bucketOf } from '../../../shared/platform/table/row-keys/row-key.ts';
import { minute, second } from '../../support/clock.ts';
import { inEachTest } from '../../support/in-each-test.ts';
import { collectLines } from '../../support/log-lines.ts';
import { rigWithPartner } from './callbacks-rig.ts';
import { reply } from './loopback-partner.ts';

const rig = inEachTest(rigWithPartner);

const waits = { waitsForCircuit: true } as const;

test('rule 24: a probe that succeeds closes the circuit, and the whole backlog is delivered within two minutes', async () => {
  await rig.openCircuit();
  for (let n = 1; n <= 30; n++) await rig.change(`late${n}`);
  await rig.work();
  rig.clock.advance(31 * second);
  rig.partner.responses(reply(200));
  await rig.changeAndWork('probe');
  expect(await rig.circuit()).toMatchObject({ failures: 0, closedAt: rig.clock.now() });
  rig.clock.advance(10 * second);
  await rig.sweep();
  await rig.sweepAndWork();
  const left = (await rig.table.rows()).filter(
    ({ messageId, status }) => messageId && status !== 'delivered',
  );
  expect(left).toEqual([]);
  expect(rig.partner.received).toHaveLength(5 + 1 + 35);
  expect(await rig.circuit()).toMatchObject({ failures: 0, closedAt: rig.clock.now() - 10 * second });
  rig.clock.advance(80 * second);
  await rig.sweep();
  expect(await rig.circuit()).toBeUndefined();
});

test('to an endpoint with a pace, a backlog comes forward in steps: a run brings what it takes until the next', async () => {
  await rig.saveEndpoint('https://bars.example/status', { maxPerSecond: 1 });
  await rig.keepMany(200, waits);
  await rig.closeCircuit();
  // For 10 s after it closed, an instance may still see the circuit open, and would defer them again.
  rig.clock.advance(-1);
  await rig.sweep();
  expect(await rig.deferred()).toHaveLength(200);
  rig.clock.advance(minute);
  const lines = collectLines();
  const steps: number[] = [];
  for (let run = 0; run < 2; run++) {
    await rig.sweep();
    steps.push((await rig.deferred()).length);
  }
  expect(lines.map(({ drained }) => drained)).toEqual([80, 79]);
  // Each run brings forward ten callbacks from each of eight buckets, of which one has only 19.
  expect(steps).toEqual([120, 41]);
  expect(await rig.circuit()).toMatchObject({ closedAt: expect.any(Number) });
  for (let run = 0; run < 3; run++) await rig.sweep();
  expect(await rig.deferred()).toEqual([]);
  rig.clock.advance(minute);
  await rig.sweep();
  expect(await rig.circuit()).toBeUndefined();
});

test('a drain that is kept going while a run sends what is due is part of that run', async () => {
  await rig.keepMany(8, waits);
  const due = dueIndex(rig.table);
  const upTo: typeof due.upTo = async (...args) => {
    rig.clock.advance(second);
    const keep = (circuit: Circuit) => withDrain(circuit, rig.clock.now());
    await rig.endpoints.stepCircuit('bars', keep, { nowMs: rig.clock.now() });
    return due.upTo(...args);
  };
  await rig.newSweep({ due: { ...due, upTo } })();
  expect(await rig.deferred()).toEqual([]);
});

test('of an endpoint a run sends 5,000 that are due, 625 of each shard, and then what others wait for', async () => {
  const inOneShard = Array.from({ length: 8_000 }, (_, n) => `m${n}`).filter((id) => bucketOf(id) === 0);
  const dueAt = rig.clock.now() - second;
  await inParallel(50, inOneShard.slice(0, 640), (id) => rig.keepOne(id, { dueAt }));
  await rig.keepOne(`${inOneShard[0]}`, { partnerId: 'bakery' });
  const lines = collectLines();
  await rig.sweep();
  const partners = rig.sent().map(({ partnerId }) => partnerId);
  expect(partners.toSorted()).toEqual(['bakery', ...Array(625).fill('bars')]);
  expect(lines).toMatchObject([{ sent: 626, shardsCut: 0 }]);
  await rig.sweep();
  expect(rig.records()).toHaveLength(15);
});

test('where a page does not hold what is due, a run sends that of the last minutes first, and names who has more than its share', async () => {
  await rig.keepOne('m0', { partnerId: 'bakery', dueAt: rig.clock.now() - 5 * second });
  const due = dueIndex(rig.table);
  const many = Array.from({ length: 1_000 }, (_, n) => ({ pk: 'CALLBACKS#bars#0', sk: `${n}`, dueAt: 1 }));
  const ranges: (number | undefined)[] = [];
  const upTo: typeof due.upTo = async (shard, untilMs, page) => {
    if (shard !== dueShardOf('m0')) return { rows: [], next: undefined };
    ranges.push(page.sinceMs && page.sinceMs - rig.clock.now());
    if (page.sinceMs) return due.upTo(shard, untilMs, page);
    return { rows: many, next: page.sinceMs === undefined ? { pk: 'more' } : undefined };
  };
  const lines = collectLines();
  await rig.newSweep({ due: { ...due, upTo } })();
  expect(ranges).toEqual([undefined, -2 * minute, 0]);
  expect(rig.records()).toHaveLength(1);
  expect(lines).toMatchObject([{ sent: 1, beyondShare: ['bars'], OldestDueSeconds: 5 }]);
});

test('of what many endpoints drain after an outage, a run sends a part of each, and then what others left, at their pace', async () => {
  // Its pace takes 320 in 80 s.
  await rig.saveEndpoint('https://p0.example/status', { partnerId: 'p0', maxPerSecond: 4 });
  const nowMs = rig.clock.now();
  for (let n = 0; n < 100; n++)
    await rig.endpoints.stepCircuit(`p${n}`, (seen) => withDrain(seen, nowMs), { nowMs });
  await rig.keepMany(400, { ...waits, partnerId: 'p0' });
  await rig.keepMany(3, { ...waits, partnerId: 'p99' });
  await rig.sweep();
  const partners = rig.sent().map(({ partnerId }) => partnerId);
  // In the first round 20,000 by 100, 25 from each of eight buckets.
  expect(partners.filter((partnerId) => partnerId === 'p0')).toHaveLength(320);
  expect(partners.slice(0, 203).toSorted()).toEqual([...Array(200).fill('p0'), ...Array(3).fill('p99')]);
});

test('rule 24: a drain leaves alone what is under attempt, also when the worker was faster than the mark of the sweep', async () => {
  await rig.keepMany(1, waits);
  await rig.closeCircuit();
  const ref = { partnerId: 'bars', messageId: 'm0', state: 'DELIVERED' } as const;
  await rig.callbacks.claim(ref, 1, { by: 'a worker', nowMs: rig.clock.now(), forMs: 90 * second });
  expect(await rig.row('m0')).not.toHaveProperty('waitsForCircuit');
  await rig.sweep();
  expect(rig.records()).toEqual([]);
});

test('what a worker defers that still saw the circuit open comes forward too', async () => {
  await rig.closeCircuit();
  await rig.sweep();
  rig.clock.advance(50 * second);
  await rig.keepMany(1, waits);
  rig.clock.advance(40 * second);
  await rig.sweep();
  expect(await rig.row('m0')).toMatchObject({ queuedAt: rig.clock.now() });
  expect(await rig.circuit()).toBeUndefined();
});
