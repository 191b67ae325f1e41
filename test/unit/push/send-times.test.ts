import { expect, test } from 'vitest';
import { timeIssues } from '../../../shared/push/deadlines/deadline.ts';
import { noon } from '../../support/clock.ts';

function refusedIn(body: unknown): string[] {
  return timeIssues(body, noon).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const [now, soon, later] = [
  '2026-05-20T15:00:00+03:00',
  '2026-05-20T12:00:00.001Z',
  '2026-05-20T15:00:01+03',
];

test.each<[qos: Record<string, string>, sentence?: string]>([
  [{ deliverFrom: soon, deliverDue: later }],
  [{ deliverFrom: '2026-05-27T12:00:00Z', deliverDue: '2026-06-19T12:00:00Z' }],
  [{ deliverDue: now }, 'deliverDue: must be in the future'],
  [{ deliverDue: '2026-06-19T12:00:00.001Z' }, 'deliverDue: must be at most 30 days ahead'],
  [{ deliverFrom: now }, 'deliverFrom: must be in the future'],
  [{ deliverFrom: '2026-05-27T12:00:00.001Z' }, 'deliverFrom: must be at most 7 days ahead'],
  [{ deliverFrom: later, deliverDue: later }, 'deliverFrom: must be before deliverDue'],
])('rules 42, 54: at noon, the times %j of a request: %s', (qos, sentence) => {
  expect(refusedIn({ qos })).toEqual(sentence ? [`qos.${sentence}`] : []);
});

test('rule 54: all messages of a request have the same deliverFrom, however it is written, or none', () => {
  const planned = { qos: { deliverFrom: later } };
  const sentence = '1.qos.deliverFrom: must be the same in all messages, or in none';
  for (const differing of [{}, { qos: { deliverFrom: soon } }]) {
    expect(refusedIn([planned, differing])).toEqual([sentence]);
    expect(refusedIn([differing, planned])).toEqual([sentence]);
  }
  expect(refusedIn([planned, { qos: { deliverFrom: '2026-05-20T12:00:01Z' } }])).toEqual([]);
});
