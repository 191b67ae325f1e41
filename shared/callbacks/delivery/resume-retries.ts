import type { Work } from '../../platform/logging/log.ts';
import { minutes } from '../../platform/runtime/clock.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import { buckets, closedShard, dueShards, openShard } from '../../platform/table/keys.ts';
import { closed, drained, isOpen } from '../endpoint/circuit.ts';
import type { EndpointStore } from '../endpoint/store.ts';
import { viewKeptMs } from '../endpoint/views.ts';
import type { CircuitTime, DuePage } from '../retries/due-index.ts';
import { type DueDeps, sendDue } from '../retries/send-due.ts';

export type RetryDeps = DueDeps & {
  endpoints: Pick<EndpointStore, 'view' | 'stepCircuit'>;
};

const rules = {
  rowsPerPage: 1_000,
  /** A run sends at most this many deferred rows per partner, because an endpoint recovers slowly. */
  drainedPerRun: 5_000,
  /** A run sends at most what an endpoint's pace takes in this time: over a minute, because a run may be late. */
  pacedSeconds: 80,
  partnersAtOnce: 4,
  partnersNamed: 50,
  /** A circuit that was due for a probe this long ago has no waiting callbacks. */
  unprobedMs: minutes(30),
  /** Before this time an instance may still see the circuit open, and would defer callbacks again. */
  settlesMs: 2 * viewKeptMs,
  /** After one more run of a worker, no callback can be deferred any more because the circuit was open. */
  settledMs: 2 * viewKeptMs + minutes(1),
} as const;

export const noRetries = { sent: 0, taken: 0, probed: 0, broughtForward: 0, shardsCut: 0, oldestDueMs: 0 };
/** The run adds to `counts`, and ends at `until`. The next run finds what it leaves. */
type Run = { deps: RetryDeps; until: number; counts: typeof noRetries };

/**
 * Sends rows that are due back to the queue, and one row to probe each open circuit whose cooldown is over. Brings
 * forward the rows that were deferred by circuits that have closed. DeliverCallback decides whether an attempt may be
 * made. The log line names the partners whose circuit is open.
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
async function resumeShard({ deps, until, counts }: Run, shard: string): Promise<void> {
  const { due, clock } = deps;
  let from: DuePage['next'];
  do {
    const { rows, next } = await due.upTo(shard, clock.now(), { size: rules.rowsPerPage, from });
    if (rows[0]) counts.oldestDueMs = Math.max(counts.oldestDueMs, clock.now() - rows[0].dueAt);
    await sendDue(deps, rows, counts);
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
  if (oldest) run.counts.probed += await sendDue(run.deps, [oldest], run.counts);
}

/** Sends rows that the circuit deferred. The drain ends when none are left and no worker can defer any more. */
async function bringForward(run: Run, { partnerId, atMs: closedAt }: CircuitTime): Promise<void> {
  const { due, endpoints, clock } = run.deps;
  const { endpoint } = await endpoints.view(partnerId);
  // Callbacks beyond the pace would only wait in messages that return every five minutes.
  const pacedMost = rules.pacedSeconds * (endpoint?.maxPerSecond ?? Number.POSITIVE_INFINITY);
  const most = Math.min(rules.drainedPerRun, pacedMost);
  let isFinished = clock.now() - closedAt >= rules.settledMs;
  await inParallel(buckets.length, buckets, async (bucket) => {
    const { rows, next } = await due.deferredOf(partnerId, bucket, {
      size: Math.ceil(most / buckets.length),
    });
    if (next || clock.now() >= run.until) isFinished = false;
    if (clock.now() >= run.until) return;
    run.counts.broughtForward += await sendDue(run.deps, rows, run.counts);
  });
  if (isFinished) await endpoints.stepCircuit(partnerId, (c) => drained(c, closedAt), clock.now());
}
