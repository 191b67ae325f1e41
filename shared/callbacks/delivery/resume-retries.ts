import type { Work } from '../../platform/logging/log.ts';
import { NotAllSent, type Queue, sendAll } from '../../platform/queues/send-all.ts';
import { type Clock, days, minutes } from '../../platform/runtime/clock.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import { closedShard, dueShards, openShard } from '../../platform/table/row-keys/callbacks.ts';
import { buckets } from '../../platform/table/row-keys/row-key.ts';
import type { DuePage, DueRow } from '../../platform/table/rows.ts';
import { retryMessage } from '../callback-message.ts';
import { closed, drained, isOpen } from '../endpoint/circuit.ts';
import type { EndpointStore } from '../endpoint/store.ts';
import { settlesMs } from '../endpoint/views.ts';
import type { CircuitTime, DueIndex } from '../retries/due-index.ts';

export type RetryDeps = {
  due: DueIndex;
  endpoints: Pick<EndpointStore, 'view' | 'stepCircuit'>;
  queue: Queue;
  clock: Clock;
};

const rules = {
  rowsPerPage: 1_000,
  writesAtOnce: 10,
  /** The retention period of the queue: for this long a queued row needs no second message. */
  queuedMs: days(4),
  /** A run sends at most this many deferred rows per partner, because an endpoint recovers slowly. */
  drainedPerRun: 5_000,
  /** A run sends at most what an endpoint's pace takes in this time: over a minute, because a run may be late. */
  pacedSeconds: 80,
  partnersAtOnce: 4,
  partnersNamed: 50,
  /** A circuit that was due for a probe this long ago has no waiting callbacks. */
  unprobedMs: minutes(30),
  /** Before this time an instance may still see the circuit open, and would defer callbacks again. */
  settlesMs,
  /** After one more run of a worker, no callback can be deferred any more because the circuit was open. */
  settledMs: settlesMs + minutes(1),
} as const;

/** `taken` counts rows that changed before they were marked: their message was already processed, or will be void. */
export const noRetries = { sent: 0, taken: 0, probed: 0, broughtForward: 0, shardsCut: 0, oldestDueMs: 0 };
/** The run adds to `counts`, and ends at `until`. The next run finds what it leaves. */
type Run = { deps: RetryDeps; until: number; counts: typeof noRetries };

/**
 * Sends rows that are due back to the queue, and one row to probe each open circuit whose cooldown is over. Then brings
 * forward, partner by partner, the rows that were deferred by circuits that have closed, and those that were replayed.
 * DeliverCallback decides whether an attempt may be made. The log line names the partners whose circuit is open.
 */
export async function resumeRetries(run: Run, work: Work): Promise<void> {
  const { due, clock } = run.deps;
  const open = await due.circuits(openShard);
  const now = clock.now();
  const unreachable = open.filter(({ atMs }) => now - atMs < rules.unprobedMs);
  const named = unreachable.slice(0, rules.partnersNamed);
  work.addFields({ unreachablePartners: named.map(({ partnerId }) => partnerId) });
  // CloudWatch charges a metric for the hours that report it, and in most hours no circuit is open.
  if (unreachable.length > 0) work.addMetrics({ CircuitsOpen: unreachable.length });
  const halfOpen = open.filter(({ atMs }) => atMs <= now);
  await inParallel(dueShards.length, dueShards, (shard) => resumeShard(run, shard));
  await inParallel(rules.partnersAtOnce, halfOpen, ({ partnerId }) => probe(run, partnerId));
  const settling = await due.circuits(closedShard);
  const drains = settling.filter(({ atMs }) => now - atMs >= rules.settlesMs);
  await inParallel(rules.partnersAtOnce, drains, (drain) => bringForward(run, drain));
}

/** Sends the rows of a shard that are due, the longest due first. */
async function resumeShard(run: Run, shard: string): Promise<void> {
  const { deps, until, counts } = run;
  const { due, clock } = deps;
  let from: DuePage['from'];
  do {
    const { rows, next } = await due.upTo(shard, clock.now(), { size: rules.rowsPerPage, from });
    if (rows[0]) counts.oldestDueMs = Math.max(counts.oldestDueMs, clock.now() - rows[0].dueAt);
    await sendDue(run, rows);
    from = next;
  } while (from && clock.now() < until);
  if (from) counts.shardsCut += 1;
}

/** Sends the longest deferred callback as a probe. An endpoint out of service is not probed: its circuit closes. */
async function probe(run: Run, partnerId: string): Promise<void> {
  const { due, endpoints, clock } = run.deps;
  const { endpoint } = await endpoints.view(partnerId);
  if (endpoint?.status !== 'enabled') {
    const now = clock.now();
    await endpoints.stepCircuit(partnerId, (circuit) => (isOpen(circuit) ? closed(now) : circuit), now);
    return;
  }
  const oldest = await due.oldestDeferredOf(partnerId);
  if (oldest) run.counts.probed += await sendDue(run, [oldest]);
}

/** Sends deferred rows of a partner. The drain ends when none are left and no worker or replay can defer any more. */
async function bringForward(run: Run, { partnerId, atMs: closedAt }: CircuitTime): Promise<void> {
  const { due, endpoints, clock } = run.deps;
  const { endpoint } = await endpoints.view(partnerId);
  // Callbacks beyond the pace would only wait in messages that return every five minutes.
  const pacedMost = rules.pacedSeconds * (endpoint?.maxPerSecond ?? Number.POSITIVE_INFINITY);
  const size = Math.ceil(Math.min(rules.drainedPerRun, pacedMost) / buckets.length);
  let isFinished = clock.now() - closedAt >= rules.settledMs;
  await inParallel(buckets.length, buckets, async (bucket) => {
    const { rows, next } = await due.deferredOf(partnerId, bucket, { size });
    if (next || clock.now() >= run.until) isFinished = false;
    if (clock.now() >= run.until) return;
    run.counts.broughtForward += await sendDue(run, rows);
  });
  if (isFinished) await endpoints.stepCircuit(partnerId, (c) => drained(c, closedAt), clock.now());
}

/**
 * Sends the messages of due rows, marks the rows as queued, and returns how many were sent. A run that dies in between
 * leaves rows unmarked, and the next run sends them again; the first of two messages claims the row, and the other is
 * void. Rows whose message the queue refused stay due. That failure is thrown after all others are marked.
 */
async function sendDue({ deps, counts }: Run, rows: readonly DueRow[]): Promise<number> {
  const { due, queue, clock } = deps;
  const waiting = await due.readWaiting(rows);
  const messages = waiting.map((row, n) => ({
    id: String(n),
    body: retryMessage(row),
    group: row.partnerId,
  }));
  const refused = await sendAll(queue, messages).catch((error: unknown) => {
    if (!(error instanceof NotAllSent)) throw error;
    return error;
  });
  const unsent = new Set(refused?.unsent);
  const sent = waiting.filter((_, n) => !unsent.has(String(n)));
  const nowMs = clock.now();
  counts.sent += sent.length;
  await inParallel(rules.writesAtOnce, sent, async (row) => {
    const isMarked = await due.markQueued(row, { nowMs, untilMs: nowMs + rules.queuedMs });
    if (!isMarked) counts.taken += 1;
  });
  if (refused) throw refused;
  return sent.length;
}
