import { expect, test } from 'vitest';
import { sweepSends } from '../../../shared/push/deadlines/sweep-sends.ts';
import { fakeClock } from '../../support/clock.ts';
import { clockedQueue } from '../../support/clocked-queue.ts';

test('millions of sends that are due at one time hold up none that are due later, and are not queued all at once', async () => {
  const clock = fakeClock();
  const now = clock.now();
  const pages = new Map<string, number>();
  const dueUntil = async (shard: string, untilMs: number, { sinceMs = 0 }: { sinceMs?: number }) => {
    const isMany = shard === 'DEADLINE#0' && (sinceMs === 0 || sinceMs === now - 60_000);
    const range = `${shard}: ${sinceMs === 0 ? 'earlier' : sinceMs - now} to ${untilMs - now}`;
    pages.set(range, (pages.get(range) ?? 0) + 1);
    const due = Array.from({ length: 1_000 }, (_, n) => ({ sendId: `${n}`, dueAt: untilMs }));
    return isMany ? { due, next: { pk: 'more' } } : { due: [], next: undefined };
  };
  const counts = { sendsDue: 0 };
  await sweepSends(
    { deadlines: { dueUntil }, queue: clockedQueue(clock), clock },
    { until: Infinity, counts },
  );
  const read = [...pages].filter(([range]) => range.startsWith('DEADLINE#0: '));
  expect(read).toEqual([
    ['DEADLINE#0: earlier to 90000', 1],
    ['DEADLINE#0: -120000 to -60001', 1],
    ['DEADLINE#0: -60000 to -1', 50],
    ['DEADLINE#0: 0 to 59999', 1],
    ['DEADLINE#0: 60000 to 90000', 1],
    ['DEADLINE#0: earlier to -120001', 14],
  ]);
  expect(pages.size - read.length).toBe(23);
  expect(counts.sendsDue).toBe(64_000);
});
