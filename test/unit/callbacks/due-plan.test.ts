import { expect, test } from 'vitest';
import { type DuePlan, duePlan, probedEnough } from '../../../shared/callbacks/due-plan.ts';

const nowMs = 100_000;
const reachable = { nowMs, unreachable: new Set<string>(), probes: new Map<string, number>() };
const barsUnreachable = { ...reachable, unreachable: new Set(['bars']) };

function row(partnerId: string, n: number) {
  return { pk: `CALLBACKS#${partnerId}#0`, sk: `m${n}#DELIVERED`, dueAt: 40_000 + n };
}

function rows(partnerId: string, count: number) {
  return Array.from({ length: count }, (_, n) => row(partnerId, n));
}

const drainRow = { pk: 'DRAIN#bars', sk: '-', dueAt: 1, drains: 'bars' };

const table: [string, Parameters<typeof duePlan>, DuePlan][] = [
  [
    'nothing is due',
    [[], reachable],
    { send: [], drains: [], passedOver: 0, oldestDueMs: 0, probes: new Map() },
  ],
  [
    'rows of reachable partners are sent, and the oldest is measured',
    [[row('bars', 0), row('bakery', 5)], reachable],
    {
      send: [row('bars', 0), row('bakery', 5)],
      drains: [],
      passedOver: 0,
      oldestDueMs: 60_000,
      probes: new Map(),
    },
  ],
  [
    'a drain is not sent, and not measured',
    [[drainRow], reachable],
    {
      send: [],
      drains: [{ row: drainRow, partnerId: 'bars' }],
      passedOver: 0,
      oldestDueMs: 0,
      probes: new Map(),
    },
  ],
  [
    'rows of an unreachable partner are sent as probes, and not measured',
    [[row('bars', 0), row('bakery', 40_000)], barsUnreachable],
    {
      send: [row('bars', 0), row('bakery', 40_000)],
      drains: [],
      passedOver: 0,
      oldestDueMs: 20_000,
      probes: new Map([['bars', 1]]),
    },
  ],
  [
    'the 51st row of an unreachable partner stays due',
    [rows('bars', 51), barsUnreachable],
    {
      send: rows('bars', 50),
      drains: [],
      passedOver: 1,
      oldestDueMs: 0,
      probes: new Map([['bars', 51]]),
    },
  ],
  [
    'probes of earlier pages count',
    [rows('bars', 3), { ...barsUnreachable, probes: new Map([['bars', 48]]) }],
    {
      send: rows('bars', 2),
      drains: [],
      passedOver: 1,
      oldestDueMs: 0,
      probes: new Map([['bars', 51]]),
    },
  ],
];

test.each(table)('%s', (_title, given, expected) => {
  expect(duePlan(...given)).toEqual(expected);
});

test('a partner with 50 probes is left out of the next page, one with 49 is not', () => {
  const probes = new Map([
    ['bars', 50],
    ['bakery', 49],
  ]);
  expect(probedEnough(probes)).toEqual(['bars']);
});

test('at most 100 partners are left out', () => {
  const probes = new Map(Array.from({ length: 120 }, (_, n) => [`partner-${n}`, 50]));
  expect(probedEnough(probes)).toHaveLength(100);
});
