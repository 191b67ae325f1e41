import { expect, test } from 'vitest';
import { type Circuit, withDrain } from '../../../shared/callbacks/endpoint/circuit.ts';
import { dueIndex } from '../../../shared/callbacks/rows/due-index.ts';
import { inParallel } from '../../../shared/platform/runtime/in-parallel.ts';
import { dueShardOf } from '../../../shared/platform/table/row-keys/callbacks.ts';
import { bucketOf } from '../../../shared/platform/table/row-keys/row-key.ts';
import { hour, minute, second } from '../../support/clock.ts';
import { collectLines } from '../../support/log-lines.ts';
import { callbacksRig, rigWithPartner } from './callbacks-rig.ts';
import { reply } from './loopback-partner.ts';
import { keepMany, openCircuit } from './open-circuit.ts';

test('rule 24: a probe that succeeds closes the circuit, and the whole backlog is delivered within two minutes', async () => {
  const rig = await rigWithPartner();
  await openCircuit(rig);
  for (let n = 1; n <= 30; n++) await rig.change(`late${n}`);
  await rig.work();
  rig.clock.advance(31 * second);
  rig.partner.responses(reply(200));
  await rig.change('probe');
  await rig.work();
  expect(await rig.circuit()).toMatchObject({ failures: 0, closedAt: rig.clock.now() });
  rig.clock.advance(10 * second);
  await rig.sweep();
  await rig.sweep();
  await rig.work();
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
  const { callbacks, clock, table, sweep, closeCircuit, circuit, saveEndpoint } = await callbacksRig();
  await saveEndpoint('https://bars.example/status', { maxPerSecond: 1 });
  await keepMany({ callbacks, clock }, 'bars', { count: 200, dueAt: clock.now(), waitsForCircuit: true });
  await closeCircuit();
  const later = async () => (await table.rows()).filter(({ waitsForCircuit }) => waitsForCircuit).length;
  // For 10 s after it closed, an instance may still see the circuit open, and would defer them again.
  clock.advance(-1);
  await sweep();
  expect(await later()).toBe(200);
  clock.advance(minute);
  const lines = collectLines();
  const steps: number[] = [];
  for (let run = 0; run < 2; run++) {
    await sweep();
    steps.push(await later());
  }
  expect(lines.map(({ drained }) => drained)).toEqual([80, 79]);
  // Each run brings forward ten callbacks from each of eight buckets, of which one has only 19.
  expect(steps).toEqual([120, 41]);
  expect(await circuit()).toMatchObject({ closedAt: expect.any(Number) });
  for (let run = 0; run < 3; run++) await sweep();
  expect(await later()).toBe(0);
  clock.advance(minute);
  await sweep();
  expect(await circuit()).toBeUndefined();
});

test('a drain that is kept going while a run sends what is due is part of that run', async () => {
  const { callbacks, clock, table, newSweep, endpoints } = await callbacksRig();
  await keepMany({ callbacks, clock }, 'bars', { count: 8, dueAt: clock.now(), waitsForCircuit: true });
  const due = dueIndex(table);
  const upTo: typeof due.upTo = async (...args) => {
    clock.advance(second);
    const keep = (circuit: Circuit) => withDrain(circuit, clock.now());
    await endpoints.stepCircuit('bars', keep, { nowMs: clock.now() });
    return due.upTo(...args);
  };
  await newSweep({ due: { ...due, upTo } })();
  expect((await table.rows()).filter(({ waitsForCircuit }) => waitsForCircuit)).toEqual([]);
});

test('of an endpoint a run sends 5,000 that are due, 625 of each shard, and then what others wait for', async () => {
  const { callbacks, clock, sweep, records } = await callbacksRig();
  const inOneShard = Array.from({ length: 8_000 }, (_, n) => `m${n}`).filter((id) => bucketOf(id) === 0);
  const late = async (partnerId: string, messageId: string, dueAt: number) => {
    const callback = { partnerId, messageId, state: 'DELIVERED', msisdn: 79001234567, changedAt: 1 } as const;
    await callbacks.create(callback, { status: 'waiting', tries: 1, attempts: [], dueAt }, clock.now());
  };
  await inParallel(50, inOneShard.slice(0, 640), (id) => late('bars', id, clock.now() - second));
  await late('bakery', `${inOneShard[0]}`, clock.now());
  const lines = collectLines();
  await sweep();
  const partners = records().map(({ body }) => JSON.parse(body).partnerId);
  expect(partners.toSorted()).toEqual(['bakery', ...Array(625).fill('bars')]);
  expect(lines).toMatchObject([{ sent: 626, shardsCut: 0 }]);
  await sweep();
  expect(records()).toHaveLength(15);
});

test('where a page does not hold what is due, a run sends that of the last minutes first, and names who has more than its share', async () => {
  const { callbacks, clock, table, newSweep, records } = await callbacksRig();
  const callback = { partnerId: 'bakery', messageId: 'm0', state: 'DELIVERED', msisdn: 79001234567 } as const;
  const dueAt = clock.now() - 5 * second;
  await callbacks.create(
    { ...callback, changedAt: 1 },
    { status: 'waiting', tries: 1, attempts: [], dueAt },
    dueAt,
  );
  const due = dueIndex(table);
  const many = Array.from({ length: 1_000 }, (_, n) => ({ pk: 'CALLBACKS#bars#0', sk: `${n}`, dueAt: 1 }));
  const ranges: (number | undefined)[] = [];
  const upTo: typeof due.upTo = async (shard, untilMs, page) => {
    if (shard !== dueShardOf('m0')) return { rows: [], next: undefined };
    ranges.push(page.sinceMs && page.sinceMs - clock.now());
    if (page.sinceMs) return due.upTo(shard, untilMs, page);
    return { rows: many, next: page.sinceMs === undefined ? { pk: 'more' } : undefined };
  };
  const lines = collectLines();
  await newSweep({ due: { ...due, upTo } })();
  expect(ranges).toEqual([undefined, -2 * minute, 0]);
  expect(records()).toHaveLength(1);
  expect(lines).toMatchObject([{ sent: 1, beyondShare: ['bars'], OldestDueSeconds: 5 }]);
});

test('of what many endpoints drain after an outage, a run sends a part of each, and then what others left, at their pace', async () => {
  const { callbacks, clock, sweep, records, endpoints, saveEndpoint } = await callbacksRig();
  const deferred = { dueAt: clock.now(), waitsForCircuit: true as const };
  // Its pace takes 320 in 80 s.
  await saveEndpoint('https://p0.example/status', { partnerId: 'p0', maxPerSecond: 4 });
  const nowMs = clock.now();
  for (let n = 0; n < 100; n++)
    await endpoints.stepCircuit(`p${n}`, (seen) => withDrain(seen, nowMs), { nowMs });
  await keepMany({ callbacks, clock }, 'p0', { count: 400, ...deferred });
  await keepMany({ callbacks, clock }, 'p99', { count: 3, ...deferred });
  await sweep();
  const partners = records().map(({ body }) => JSON.parse(body).partnerId);
  // In the first round 20,000 by 100, 25 from each of eight buckets.
  expect(partners.filter((partnerId) => partnerId === 'p0')).toHaveLength(320);
  expect(partners.slice(0, 203).toSorted()).toEqual([...Array(200).fill('p0'), ...Array(3).fill('p99')]);
});

test('a drain leaves what waits for its own time alone', async () => {
  const { callbacks, clock, table, sweep, closeCircuit } = await callbacksRig();
  const dueAt = clock.now() + hour;
  await keepMany({ callbacks, clock }, 'bars', { count: 20, dueAt });
  await closeCircuit();
  await sweep();
  const rows = (await table.rows()).filter(({ messageId }) => messageId);
  expect(rows.map((row) => [row['dueAt'], row['tries'], row['version']])).toEqual(
    Array.from({ length: 20 }, () => [dueAt, 1, 1]),
  );
});

test('rule 24: a drain leaves alone what is under attempt, also when the worker was faster than the mark of the sweep', async () => {
  const { callbacks, clock, sweep, records, row, closeCircuit } = await callbacksRig();
  await keepMany({ callbacks, clock }, 'bars', { count: 1, dueAt: clock.now(), waitsForCircuit: true });
  await closeCircuit();
  const ref = { partnerId: 'bars', messageId: 'm0', state: 'DELIVERED' } as const;
  await callbacks.claim(ref, 1, { by: 'a worker', nowMs: clock.now(), forMs: 90 * second });
  expect(await row('m0')).not.toHaveProperty('waitsForCircuit');
  await sweep();
  expect(records()).toEqual([]);
});

test('what a worker defers that still saw the circuit open comes forward too', async () => {
  const { callbacks, clock, sweep, row, closeCircuit, circuit } = await callbacksRig();
  await closeCircuit();
  await sweep();
  clock.advance(50 * second);
  await keepMany({ callbacks, clock }, 'bars', { count: 1, dueAt: clock.now(), waitsForCircuit: true });
  clock.advance(40 * second);
  await sweep();
  expect(await row('m0')).toMatchObject({ queuedAt: clock.now() });
  expect(await circuit()).toBeUndefined();
});
