import { NotAllSent, type Queue, sendInAnyOrder } from '../../platform/queues/send-all.ts';
import type { Pause } from '../../platform/runtime/backoff.ts';
import { type Clock, days } from '../../platform/runtime/clock.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import { retryMessage } from '../callback-message.ts';
import type { DueIndex, DueRow } from './due-index.ts';

/** As long as the queue keeps messages: until then a row that is in it needs no second message. */
const queuedMs = days(4);
const writesAtOnce = 10;

export type DueDeps = { due: DueIndex; queue: Queue; clock: Clock; pause?: Pause };

/** `taken` rows had changed before they were marked: their messages were quicker, or will be void. */
type Counts = { sent: number; taken: number };

/**
 * Sends first, then marks, and returns how many: a run that dies in between leaves rows that the next one sends again.
 * Of two messages the first claims its row, and the other is void. Rows that the queue did not take stay due; their
 * failure is thrown last.
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
