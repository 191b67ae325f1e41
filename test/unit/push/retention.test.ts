import { expect, test } from 'vitest';
import { isKept, rowsExpireAt } from '../../../shared/push/retention.ts';

const acceptedAt = Date.parse('2026-05-20T12:00:00Z');

function keptAt(time: string, deliverDue?: string): boolean {
  const payload = { title: 'a', message: 'b' };
  const content = { pushType: 'SERVICE' as const, payload, ...(deliverDue && { qos: { deliverDue } }) };
  return isKept({ acceptedAt, content }, Date.parse(time));
}

test('rule 21: a message is kept for 30 days, with a later deadline for half a day after that', () => {
  expect([keptAt('2026-06-19T11:59:59.999Z'), keptAt('2026-06-19T12:00:00Z')]).toEqual([true, false]);
  const deliverDue = '2026-06-19T06:00:00Z';
  expect([
    keptAt('2026-06-19T17:59:59.999Z', deliverDue),
    keptAt('2026-06-19T18:00:00Z', deliverDue),
  ]).toEqual([true, false]);
});

test('rule 58: rows outlive every message by the 7 days of its last entry in a feed, and a day more', () => {
  expect(rowsExpireAt({ acceptedAt })).toBe(Date.parse('2026-06-28T12:00:00Z') / 1_000);
});
