import { expect, test } from 'vitest';
import { deadlineErrors, firstDeadline, isOver } from '../../shared/push/deadlines/deadline.ts';

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
    expect([deliverDue, deadlineErrors(due(deliverDue), now)]).toEqual([deliverDue, errors]);
  expect(deadlineErrors([due(), due('2026-05-20T12:00:00Z')], now)).toEqual([
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
