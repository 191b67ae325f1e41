import { closed, drained, isOpen } from '../../shared/callbacks/endpoint/circuit.ts';
import { viewKeptMs } from '../../shared/callbacks/endpoint/health.ts';
import type { EndpointStore } from '../../shared/callbacks/endpoint/store.ts';
import type { CircuitTime, DuePage } from '../../shared/callbacks/retries/due-index.ts';
import { type DueDeps, sendDue } from '../../shared/callbacks/retries/send-due.ts';
import { startWork } from '../../shared/platform/logging/log.ts';
import { minutes } from '../../shared/platform/runtime/clock.ts';
import { inParallel } from '../../shared/platform/runtime/in-parallel.ts';
import { inTimeOf, type Timed } from '../../shared/platform/runtime/time-left.ts';
import { buckets, closedShard, dueShards, openShard } from '../../shared/platform/table/keys.ts';

type Deps = DueDeps & {
  endpoints: Pick<EndpointStore, 'view' | 'stepCircuit'>;
  drainedPerRun?: number;
};

const rules = {
  rowsPerPage: 1_000,
  /** A run starts every minute and may take 60 s: the next run finds what is left. */
  runMs: 40_000,
  /** Rows of one partner that a run brings forward: an endpoint that recovered does not get its whole backlog. */
  drainedPerRun: 5_000,
  partnersAtOnce: 4,
  partnersNamed: 50,
  /** Nothing waits behind a circuit that nobody has probed for so long. */
  unprobedMs: minutes(30),
  /** Until then an instance may trust an older view. What comes forward earlier would be deferred again. */
  settlesMs: 2 * viewKeptMs,
  /** And as long as a function runs: then nothing is deferred any more because the circuit was open once. */
  settledMs: 2 * viewKeptMs + minutes(1),
} as const;

const noCounts = { sent: 0, taken: 0, probed: 0, broughtForward: 0, shardsCut: 0, oldestDueMs: 0 };
type Run = { deps: Deps; until: number; counts: typeof noCounts };

/**
 * Every minute: sends rows that are due back to the queue, one row to probe each open circuit whose cooldown is over, and
 * brings forward what circuits deferred that have closed. Whether an attempt may be made, `deliver` decides. The log line
 * names the partners whose circuit is open.
 */
export function resumeCallbacks(deps: Deps) {
  return (_event?: unknown, context?: Timed): Promise<void> =>
    inTimeOf(context, async () => {
      const work = startWork('ResumeCallbacks');
      const counts = { ...noCounts };
      const run: Run = { deps, until: deps.clock.now() + rules.runMs, counts };
      try {
        const open = await deps.due.circuits(openShard);
        const now = deps.clock.now();
        const unreachable = open.filter(({ atMs }) => now - atMs < rules.unprobedMs);
        const named = unreachable.slice(0, rules.partnersNamed);
        work.addFields({ unreachablePartners: named.map(({ partnerId }) => partnerId) });
        // A metric is charged for the hours that report it, and most have no open circuit.
        if (unreachable.length > 0) work.addMetrics({ CircuitsOpen: unreachable.length });
        const halfOpen = open.filter(({ atMs }) => atMs <= now);
        await inParallel(dueShards.length, dueShards, (shard) => resumeShard(run, shard));
        await inParallel(rules.partnersAtOnce, halfOpen, ({ partnerId }) => probe(run, partnerId));
        const settling = await deps.due.circuits(closedShard);
        const drains = settling.filter(({ atMs }) => now - atMs >= rules.settlesMs);
        await inParallel(rules.partnersAtOnce, drains, (drain) => bringForward(run, drain));
        work.addMetrics({ OldestDueSeconds: counts.oldestDueMs / 1_000 });
        work.done('done', counts);
      } catch (error) {
        work.failed(error, counts);
        throw error;
      }
    });
}

/** Sends what is due in a shard, the longest due first. */
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

/** Sends what the circuit deferred. The drain ends when none are left and no worker can defer any more. */
async function bringForward(run: Run, { partnerId, atMs: closedAt }: CircuitTime): Promise<void> {
  const { due, endpoints, clock, drainedPerRun = rules.drainedPerRun } = run.deps;
  let isFinished = clock.now() - closedAt >= rules.settledMs;
  await inParallel(buckets.length, buckets, async (bucket) => {
    const { rows, next } = await due.deferredOf(partnerId, bucket, {
      size: Math.ceil(drainedPerRun / buckets.length),
    });
    if (next || clock.now() >= run.until) isFinished = false;
    if (clock.now() >= run.until) return;
    run.counts.broughtForward += await sendDue(run.deps, rows, run.counts);
  });
  if (isFinished) await endpoints.stepCircuit(partnerId, (c) => drained(c, closedAt), clock.now());
}
