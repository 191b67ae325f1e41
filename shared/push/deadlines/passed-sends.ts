import * as z from 'zod/mini';
import { type Queue, sendAll } from '../../platform/queues/send-all.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import { inGroups } from '../../platform/runtime/in-groups.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import { deadlineShards } from '../../platform/table/row-keys/push.ts';
import type { DuePage } from '../../platform/table/rows.ts';
import { isSingle } from '../message-id.ts';
import type { DeadlineStore } from './deadline-store.ts';

/** A message of the queue `deadlines`: sends with a deadline that has passed. */
export const PassedSends = z.object({ sendIds: z.array(z.string()).check(z.minLength(1)) });
export type PassedSends = z.infer<typeof PassedSends>;

/** A message ends this much later, because clocks differ and a receipt that is in time may still be on its way. */
export const graceMs = 5_000;

const sendsPerPage = 1_000;
/** A bulk send, of up to 40,000 recipients, travels alone. */
const singlesPerMessage = 50;

type HandOver = {
  deadlines: Pick<DeadlineStore, 'passed'>;
  queue: Queue;
  clock: Clock;
};

/**
 * Hands the sends whose deadline has passed over to the worker that ends their messages, and counts them. Nothing is
 * marked: a send that has not ended is handed over again by the next run, also when its message was lost.
 */
export async function handOverPassed(
  { deadlines, queue, clock }: HandOver,
  { until, counts }: { until: number; counts: { deadlinesPassed: number } },
): Promise<void> {
  await inParallel(deadlineShards.length, deadlineShards, async (shard) => {
    const passedMs = clock.now() - graceMs;
    let from: DuePage['from'];
    do {
      const { sendIds, next } = await deadlines.passed(shard, passedMs, { size: sendsPerPage, from });
      const messages = groupIntoMessages(sendIds).map((sends, n) => ({
        id: String(n),
        body: JSON.stringify({ sendIds: sends } satisfies PassedSends),
      }));
      await sendAll(queue, messages);
      counts.deadlinesPassed += sendIds.length;
      from = next;
    } while (from && clock.now() < until);
  });
}

function groupIntoMessages(sendIds: readonly string[]): string[][] {
  return [
    ...sendIds.filter((sendId) => !isSingle(sendId)).map((sendId) => [sendId]),
    ...inGroups(sendIds.filter(isSingle), singlesPerMessage),
  ];
}
