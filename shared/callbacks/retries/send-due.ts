import { NotAllSent, type Queue, sendInAnyOrder } from '../../platform/queues/send-all.ts';
import type { Pause } from '../../platform/runtime/backoff.ts';
import { type Clock, days } from '../../platform/runtime/clock.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import { retryMessage } from '../callback-message.ts';
import type { DueIndex, DuePage, DueRow } from './due-index.ts';

/** As long as the queue keeps messages: until then a row that is in it needs no second message. */
const queuedMs = days(4);
const writesAtOnce = 10;

export type DueDeps = { due: DueIndex; queue: Queue; clock: Clock; pause?: Pause };

/** `taken` rows had changed before they were marked: their messages were quicker, or will be void. */
export type SentDue = { sent: number; taken: number; failure?: unknown };

/**
 * Sends first, then marks: of a run that dies in between, the next one sends the rows again. Whichever message comes first
 * claims its row, and the other is void. Rows of messages that the queue did not take stay due.
 */
export async function sendDue(
  { due, queue, clock, pause }: DueDeps,
  rows: readonly DueRow[],
): Promise<SentDue> {
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
  let taken = 0;
  await inParallel(writesAtOnce, sent, async (row) => {
    const marked = await due.markQueued(row, { nowMs, untilMs: nowMs + queuedMs });
    if (marked === 'changed') taken += 1;
  });
  return { sent: sent.length, taken, ...(refused ? { failure: refused } : {}) };
}

type SentShard = SentDue & { oldestDueMs: number; isCut: boolean };

/** Sends what is due in a shard, the longest due first, until `untilMs`; `isCut` if that was not all. */
export async function sendShard(
  deps: DueDeps,
  dueShard: string,
  { untilMs, rowsPerPage }: { untilMs: number; rowsPerPage: number },
): Promise<SentShard> {
  const { due, clock } = deps;
  const all = { sent: 0, taken: 0, oldestDueMs: 0 };
  let from: DuePage['next'];
  do {
    const page = await due.upTo(dueShard, clock.now(), { size: rowsPerPage, from });
    const [oldest] = page.rows;
    if (oldest) all.oldestDueMs = Math.max(all.oldestDueMs, clock.now() - oldest.dueAt);
    const { sent, taken, failure } = await sendDue(deps, page.rows);
    all.sent += sent;
    all.taken += taken;
    if (failure !== undefined) return { ...all, failure, isCut: false };
    from = page.next;
  } while (from && clock.now() < untilMs);
  return { ...all, isCut: from !== undefined };
}
