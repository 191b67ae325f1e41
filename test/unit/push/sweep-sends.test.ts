import { expect, test } from 'vitest';
import { sweepSends } from '../../../shared/push/deadlines/sweep-sends.ts';
import { fakeClock } from '../../support/clock.ts';
import { clockedQueue } from '../../support/clocked-queue.ts';

test('millions of sends that are due at one time do not hold up those that became due later, and are not queued all at once', async () => {
  const clock = fakeClock();
  const queued: string[] = [];
  const dueUntil = async (shard: string, untilMs: number, { sinceMs = 0 }: { sinceMs?: number }) => {
    if (shard !== 'DEADLINE#0') return { due: [], next: undefined };
    const isRecent = sinceMs > 0;
    queued.push(isRecent ? 'recent' : 'older');
    const range = [sinceMs - clock.now(), untilMs - clock.now()];
    expect(range).toEqual(isRecent ? [-120_000, 90_000] : [-clock.now(), -120_001]);
    const due = Array.from({ length: 1_000 }, (_, n) => ({ sendId: `${n}`, dueAt: untilMs }));
    return { due, next: isRecent ? undefined : { pk: 'more' } };
  };
  const counts = { sendsDue: 0 };
  await sweepSends(
    { deadlines: { dueUntil }, queue: clockedQueue(clock), clock },
    { until: Infinity, counts },
  );
  expect(queued).toEqual(['recent', ...Array(40).fill('older')]);
  expect(counts.sendsDue).toBe(41_000);
});
