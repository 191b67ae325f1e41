import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sweepSends } from '../../../shared/push/deadlines/sweep-sends.ts';
import { bulkIdFrom } from '../../../shared/push/message-id.ts';
import { fakeClock, minute } from '../../support/clock.ts';
import { clockedQueue } from '../../support/clocked-queue.ts';

test('millions of sends that are due at one time hold up none that are due later, and are not queued all at once', async () => {
  const clock = fakeClock();
  const now = clock.now();
  const pages = new Map<string, number>();
  type Page = { sinceMs?: number; from?: Record<string, unknown> | undefined };
  const dueUntil = async (shard: string, untilMs: number, { sinceMs = 0, from }: Page) => {
    const isMany = shard === 'DEADLINE#0' && (sinceMs === 0 || sinceMs === now - 60_000);
    const range = `${shard}: ${sinceMs === 0 ? 'earlier' : sinceMs - now} to ${untilMs - now}`;
    const before = pages.get(range) ?? 0;
    pages.set(range, before + 1);
    expect(from).toEqual(before === 0 ? undefined : { pk: before });
    const due = Array.from({ length: 1_000 }, (_, n) => ({ sendId: `${n}`, dueAt: untilMs }));
    return isMany ? { due, next: { pk: before + 1 } } : { due: [], next: undefined };
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

test('rule 54: the single messages of a minute are a group and travel fifty in a message, its bulk sends another, each alone, so that many hold up no others', async () => {
  const clock = fakeClock();
  const [first, last, next] = [clock.now(), clock.now() + minute - 1, clock.now() + minute];
  const due = [first, last, next].flatMap((dueAt) => [
    ...Array.from({ length: 30 }, () => ({ sendId: randomUUID(), dueAt })),
    { sendId: bulkIdFrom(randomUUID()), dueAt },
  ]);
  clock.advance(60 * minute);
  const queue = clockedQueue(clock);
  const dueUntil = async (shard: string) => ({ due: shard === 'DEADLINE#0' ? due : [], next: undefined });
  await sweepSends({ deadlines: { dueUntil }, queue, clock }, { until: Infinity, counts: { sendsDue: 0 } });
  const sizes = queue.arrived().map(({ body }) => (JSON.parse(body) as { sendIds: string[] }).sendIds.length);
  const [minuteOfFirst, minuteOfNext] = [first / minute, next / minute];
  expect(sizes.map((size, n) => `${queue.groups[n]}: ${size}`).sort()).toEqual([
    `${minuteOfFirst}: 10`,
    `${minuteOfFirst}: 50`,
    `${minuteOfNext}: 30`,
    ...[minuteOfFirst, minuteOfFirst, minuteOfNext].map((at) => `bulk-${at}: 1`),
  ]);
});
