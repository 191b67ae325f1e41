import { retryMessage } from '../../shared/callbacks/callback-message.ts';
import type { DueIndex, DuePage, DueRow } from '../../shared/callbacks/due-index.ts';
import { dueShards } from '../../shared/callbacks/due-shard.ts';
import { NotAllSent, type Queue, sendInAnyOrder } from '../../shared/queues/send-all.ts';
import type { Pause } from '../../shared/runtime/backoff.ts';
import { type Clock, days } from '../../shared/runtime/clock.ts';
import { inParallel } from '../../shared/runtime/in-parallel.ts';
import { startWork } from '../../shared/runtime/log.ts';
import { buckets } from '../../shared/table/keys.ts';

type Deps = {
  due: DueIndex;
  queue: Queue;
  clock: Clock;
  pause?: Pause;
  drainedPerRun?: number;
  rowsPerPage?: number;
};

const rules = {
  /** As long as the queue keeps messages: until then a row that is in it needs no second message. */
  queuedMs: days(4),
  rowsPerPage: 1_000,
  /** A run starts every minute and may take 60 s: the next run finds what is left. */
  runMs: 40_000,
  /** Rows of one partner that a run brings forward: an endpoint that recovered does not get its whole backlog. */
  drainedPerRun: 5_000,
  writesAtOnce: 10,
  probesAtOnce: 8,
  partnersNamed: 50,
} as const;

type Counts = ReturnType<typeof noCounts>;
type Run = { deps: Deps; until: number; counts: Counts };

function noCounts() {
  return { sent: 0, taken: 0, probed: 0, broughtForward: 0, shardsCut: 0, oldestDueMs: 0 };
}

/**
 * Every minute: sends rows that are due back to the queue, one row to probe each open circuit whose cooldown is over, and
 * brings forward what circuits deferred that have closed. Whether an attempt may be made, `deliver` decides. The log line
 * names the partners whose circuit is open.
 */
export function resumeCallbacks(deps: Deps) {
  return async (): Promise<void> => {
    const work = startWork('ResumeCallbacks');
    const counts = noCounts();
    const run: Run = { deps, until: deps.clock.now() + rules.runMs, counts };
    try {
      const open = await deps.due.openCircuits();
      work.addFields({
        unreachablePartners: open.slice(0, rules.partnersNamed).map(({ partnerId }) => partnerId),
      });
      work.addMetrics({ CircuitsOpen: open.length });
      const halfOpen = open.filter(({ openUntil }) => openUntil <= deps.clock.now());
      await inParallel(dueShards.length, dueShards, (shard) => resumeShard(run, shard));
      await inParallel(rules.probesAtOnce, halfOpen, ({ partnerId }) => probe(run, partnerId));
      work.addMetrics({ OldestDueSeconds: counts.oldestDueMs / 1_000 });
      work.done('done', counts);
    } catch (error) {
      work.failed(error, counts);
      throw error;
    }
  };
}

async function resumeShard(run: Run, shard: string): Promise<void> {
  const { due, clock, rowsPerPage = rules.rowsPerPage } = run.deps;
  let from: DuePage['next'];
  do {
    const page = await due.upTo(shard, clock.now(), { size: rowsPerPage, from });
    const rows = page.rows.filter(({ drains }) => drains === undefined);
    for (const { dueAt } of rows)
      run.counts.oldestDueMs = Math.max(run.counts.oldestDueMs, clock.now() - dueAt);
    await sendRows(run, rows);
    for (const row of page.rows) if (row.drains !== undefined) await drain(run, row, row.drains);
    from = page.next;
  } while (from && clock.now() < run.until);
  if (from) run.counts.shardsCut += 1;
}

/** The longest deferred callback of the partner, to see whether its endpoint is well again. */
async function probe(run: Run, partnerId: string): Promise<void> {
  const pages = await Promise.all(
    buckets.map((bucket) => run.deps.due.deferredOf(partnerId, bucket, { size: 1 })),
  );
  const [oldest] = pages.flatMap(({ rows }) => rows).sort((a, b) => a.dueAt - b.dueAt);
  if (oldest) run.counts.probed += await sendRows(run, [oldest]);
}

/** Sends what the partner's circuit deferred, an equal share of each bucket, and ends the drain when none are left. */
async function drain(run: Run, row: DueRow, partnerId: string): Promise<void> {
  const { due, clock, drainedPerRun = rules.drainedPerRun } = run.deps;
  const share = Math.ceil(drainedPerRun / buckets.length);
  let isFinished = true;
  await inParallel(buckets.length, buckets, async (bucket) => {
    const { rows, next } = await due.deferredOf(partnerId, bucket, { size: share });
    if (next || clock.now() >= run.until) isFinished = false;
    if (clock.now() < run.until) run.counts.broughtForward += await sendRows(run, rows);
  });
  if (isFinished) await due.endDrain(row);
}

/**
 * Sends first, then marks: of a run that dies in between, the next one sends the rows again. Whichever message comes first
 * claims its row, and the other is void.
 */
async function sendRows({ deps, counts }: Run, rows: readonly DueRow[]): Promise<number> {
  const { due, queue, clock, pause } = deps;
  const waiting = await due.readWaiting(rows);
  const messages = waiting.map((row, n) => ({
    id: String(n),
    body: retryMessage(row, row.version),
    group: row.partnerId,
  }));
  let failure: unknown;
  const unsent = new Set<string>();
  await sendInAnyOrder(queue, messages, pause).catch((error: unknown) => {
    if (!(error instanceof NotAllSent)) throw error;
    failure = error;
    for (const id of error.unsent) unsent.add(id);
  });
  const sent = waiting.filter((_, n) => !unsent.has(String(n)));
  const nowMs = clock.now();
  await inParallel(rules.writesAtOnce, sent, async (row) => {
    const marked = await due.markQueued(row, { nowMs, untilMs: nowMs + rules.queuedMs });
    if (!marked) counts.taken += 1;
  });
  counts.sent += sent.length;
  if (failure !== undefined) throw failure;
  return sent.length;
}
