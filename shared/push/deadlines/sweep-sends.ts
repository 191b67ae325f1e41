import * as z from 'zod/mini';
import { type Message, type Queue, sendAll } from '../../platform/queues/queue.ts';
import { type Clock, clocksDifferMs, minutes } from '../../platform/runtime/clock.ts';
import { inGroups } from '../../platform/runtime/in-groups.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import { deadlineShards } from '../../platform/table/row-keys/push.ts';
import type { DuePage } from '../../platform/table/rows.ts';
import { isSingle } from '../message-id.ts';
import type { BulkSend } from '../message-rows.ts';
import type { DeadlineStore } from './deadline-store.ts';

/** A message of the queue `deadlines`: sends that are due, or that a partner takes back. */
export const DueSends = z.object({ sendIds: z.array(z.string()).check(z.minLength(1)) });
export type DueSends = z.infer<typeof DueSends>;

/**
 * A send is released, and a message ends, this much later: clocks differ, and nothing may be released too early; and a
 * receipt that is in time may still be on its way.
 */
export const graceMs = 5_000;

/** A run looks this far ahead, so that a send is released seconds after its time, and not at the next run. */
const aheadMs = 90_000;
/** The run before has queued what is due sooner than this too, in a message that arrives earlier. */
const secondLookMs = 30_000;
const afterFirstLookMs = 10_000;

/** A run that cannot queue all queues what became due in this time before what has been due for longer. */
const recentMs = minutes(2);
/** It queues so many sends of a minute, because a million may end in one. */
const mostOfMinute = 1_200_000;
/** It queues so many that have been due for longer, because the workers do no more until the next run. */
const mostOlder = 320_000;

const sendsPerPage = 1_000;
/** A bulk send, of up to 40,000 recipients, travels alone. */
const singlesPerMessage = 50;

type Due = { sendId: string; dueAt: number };

type SweepSendsDeps = {
  deadlines: Pick<DeadlineStore, 'dueUntil'>;
  queue: Queue;
  clock: Clock;
};

/**
 * Queues the sends that are due, or will be before the next run has done so, for their worker at their time, and counts
 * them. Nothing is marked: a send that is still due is queued again by the next run, also when its message was lost.
 * Millions that are due at one time take many runs, and must not hold up what is due later.
 */
export async function sweepSends(
  { deadlines, queue, clock }: SweepSendsDeps,
  { until, counts }: { until: number; counts: { sendsDue: number } },
): Promise<void> {
  await inParallel(deadlineShards.length, deadlineShards, async (shard) => {
    const nowMs = clock.now();
    const queueSends = async (due: readonly Due[]): Promise<void> => {
      await sendAll(queue, messagesOf(due, nowMs));
      counts.sendsDue += due.length;
    };
    /** Queues what is due from `fromMs` to `untilMs`, about `most` in all shards. */
    const queueRange = async (fromMs: number, untilMs: number, most: number): Promise<void> => {
      let from: DuePage['from'];
      let queued = 0;
      do {
        const page = { size: sendsPerPage, sinceMs: fromMs, from };
        const { due, next } = await deadlines.dueUntil(shard, untilMs, page);
        await queueSends(due);
        queued += due.length;
        from = next;
      } while (from && queued < most / deadlineShards.length && clock.now() < until);
    };
    const endMs = nowMs + aheadMs;
    const all = await deadlines.dueUntil(shard, endMs, { size: sendsPerPage });
    if (!all.next) return queueSends(all.due);
    const recentSince = nowMs - recentMs;
    for (let fromMs = recentSince; fromMs <= endMs; fromMs += minutes(1))
      await queueRange(fromMs, Math.min(fromMs + minutes(1) - 1, endMs), mostOfMinute);
    await queueRange(0, recentSince - 1, mostOlder);
  });
}

/** The message that tells the worker at once that there is something to do for a send. */
export function messageNow({ bulkId, partnerId }: Pick<BulkSend, 'bulkId' | 'partnerId'>): Message {
  return { group: partnerId, body: JSON.stringify({ sendIds: [bulkId] } satisfies DueSends) };
}

/**
 * The single messages of a minute are a group, and its bulk sends another. SQS serves groups fairly, so a million messages
 * of one partner that end in a minute hold up neither a bulk send of another partner nor the minutes after it.
 */
function messagesOf(due: readonly Due[], nowMs: number): Message[] {
  const minuteOf = ({ dueAt }: Due) => String(Math.floor(dueAt / minutes(1)));
  const alike = Map.groupBy(due, (send) => `${minuteOf(send)}-${delayOf(send.dueAt, nowMs)}`);
  return [...alike.values()].flatMap((some) => {
    const [first] = some as [Due];
    const singles = some.filter(({ sendId }) => isSingle(sendId));
    const bulks = some.filter(({ sendId }) => !isSingle(sendId));
    const message = (group: string) => (sends: readonly Due[]) => ({
      group,
      body: JSON.stringify({ sendIds: sends.map(({ sendId }) => sendId) } satisfies DueSends),
      delaySeconds: delayOf(first.dueAt, nowMs),
    });
    const minute = minuteOf(first);
    return [
      ...inGroups(bulks, 1).map(message(`bulk-${minute}`)),
      ...inGroups(singles, singlesPerMessage).map(message(minute)),
    ];
  });
}

function delayOf(dueAt: number, nowMs: number): number {
  const isSecondLook = dueAt <= nowMs + secondLookMs;
  // A worker whose clock is behind must find the time passed.
  const arrivesAt = dueAt + graceMs + clocksDifferMs + (isSecondLook ? afterFirstLookMs : 0);
  return Math.max(0, Math.ceil((arrivesAt - nowMs) / 1_000));
}
