import { expect, test } from 'vitest';
import { firstDeadline, isOver, timeErrors } from '../../shared/push/deadlines/deadline.ts';

const now = Date.parse('2026-05-20T12:00:00Z');

function due(deliverDue?: string) {
  const payload = { title: 'Стол готов', message: 'Ждём вас' };
  return { pushType: 'SERVICE' as const, payload, ...(deliverDue ? { qos: { deliverDue } } : {}) };
}

test('rule 42: a message is not handed over from its deadline on, and always without one', () => {
  const at = ['2026-05-20T12:00:00.001Z', '2026-05-20T15:00:00+03:00', '2026-05-20T11:59:59.999Z'];
  expect(at.map((deliverDue) => isOver(due(deliverDue), now))).toEqual([false, true, true]);
  expect(isOver(due(), now)).toBe(false);
});

test('rule 42: a deadline is in the future, 30 days ahead at most', () => {
  const future = ['qos.deliverDue: must be in the future'];
  const tooFar = ['qos.deliverDue: must be at most 30 days ahead'];
  for (const [deliverDue, errors] of [
    ['2026-05-20T11:59:59.999Z', future],
    ['2026-05-20T12:00:00.000Z', future],
    ['2026-05-20T12:00:00.001Z', []],
    ['2026-06-19T12:00:00.000Z', []],
    ['2026-06-19T12:00:00.001Z', tooFar],
  ] as const)
    expect([deliverDue, timeErrors(due(deliverDue), now)]).toEqual([deliverDue, errors]);
  expect(timeErrors([due(), due('2026-05-20T12:00:00Z')], now)).toEqual([
    '[1].qos.deliverDue: must be in the future',
  ]);
});

test('rule 42: a send is swept at the earliest deadline of its registered recipients', () => {
  const [later, earlier] = [due('2026-05-20T12:20:00Z'), due('2026-05-20T12:10:00Z')];
  const [yes, no] = [{ registered: true }, { registered: false }];
  const minutesOf = (...sent: Parameters<typeof firstDeadline>) => {
    const first = firstDeadline(...sent);
    return first === undefined ? undefined : (first - now) / 60_000;
  };
  expect(minutesOf([yes, yes, yes], [later, earlier, due()])).toBe(10);
  expect(minutesOf([yes, no, yes], [later, earlier, due()])).toBe(20);
  expect(minutesOf([no, yes], [earlier])).toBe(10);
  expect(minutesOf([no, no], [later, earlier])).toBeUndefined();
  expect(minutesOf([yes], [due()])).toBeUndefined();
});

test('rule 54: a time is in the future, 7 days ahead at most, and before the deadline', () => {
  const at = (deliverFrom: string, deliverDue?: string) => ({ qos: { deliverFrom, deliverDue } });
  for (const [given, errors] of [
    [at('2026-05-20T12:00:00.000Z'), ['qos.deliverFrom: must be in the future']],
    [at('2026-05-20T12:00:00.001Z'), []],
    [at('2026-05-27T12:00:00.000Z'), []],
    [at('2026-05-27T12:00:00.001Z'), ['qos.deliverFrom: must be at most 7 days ahead']],
    [at('2026-05-20T13:00:00Z', '2026-05-20T13:00:00Z'), ['qos.deliverFrom: must be before deliverDue']],
    [at('2026-05-20T13:00:00Z', '2026-05-20T13:00:00.001Z'), []],
  ] as const)
    expect([given, timeErrors(given, now)]).toEqual([given, errors]);
});

test('rule 54: all messages of a request have the same time, however it is written, or none has', () => {
  const at = (deliverFrom?: string) => ({ qos: { deliverFrom } });
  const [utc, moscow, later] = [
    at('2026-05-20T13:00:00Z'),
    at('2026-05-20T16:00:00+03'),
    at('2026-05-20T13:00:01Z'),
  ];
  expect(timeErrors([utc, moscow], now)).toEqual([]);
  expect(timeErrors([at(), {}], now)).toEqual([]);
  const notTheSame = 'qos.deliverFrom: must be the same in all messages, or in none';
  expect(timeErrors([utc, later, at(), moscow], now)).toEqual([`[1-2].${notTheSame}`]);
  expect(timeErrors([at(), utc], now)).toEqual([`[1].${notTheSame}`]);
});
