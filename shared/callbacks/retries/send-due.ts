import { NotAllSent, type Queue, sendInAnyOrder } from '../../platform/queues/send-all.ts';
import type { Pause } from '../../platform/runtime/backoff.ts';
import { type Clock, days } from '../../platform/runtime/clock.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import { retryMessage } from '../callback-message.ts';
import type { DueIndex, DueRow } from './due-index.ts';

/** The retention period of the queue: for this long a queued row needs no second message. */
const queuedMs = days(4);
const writesAtOnce = 10;

export type DueDeps = { due: DueIndex; queue: Queue; clock: Clock; pause?: Pause };

/** `taken` counts rows that changed before they were marked: their message was already processed, or will be void. */
type Counts = { sent: number; taken: number };

/**
 * Sends the messages of due rows, marks the rows as queued, and returns how many were sent. A run that dies in between
 * leaves rows unmarked, and the next run sends them again; the first of two messages claims the row, and the other is
 * void. Rows whose message the queue refused stay due. That failure is thrown after all others are marked.
 */
export async function sendDue(
  { due, queue, clock, pause }: DueDeps,
  rows: readonly DueRow[],
  counts: Counts,
): Promise<number> {
  const waiting = await due.readWaiting(rows);
  const messages = waiting.map((row, n) => ({
    id: String(n),
    body: retryMessage(row, row.version),
    group: row.partnerId,
  }));
  const refused = await sendInAnyOrder(queue, messages, pause).catch((error: unknown) => {
    if (!(error instanceof NotAllSent)) throw error;
    return error;
  });
  const unsent = new Set(refused?.unsent);
  const sent = waiting.filter((_, n) => !unsent.has(String(n)));
  const nowMs = clock.now();
  counts.sent += sent.length;
  await inParallel(writesAtOnce, sent, async (row) => {
    const marked = await due.markQueued(row, { nowMs, untilMs: nowMs + queuedMs });
    if (marked === 'changed') counts.taken += 1;
  });
  if (refused) throw refused;
  return sent.length;
}
