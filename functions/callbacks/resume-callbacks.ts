import { retryMessage } from '../../shared/callbacks/callback-message.ts';
import { drainBacklog } from '../../shared/callbacks/drain-backlog.ts';
import {
  type Due,
  type DueIndex,
  entriesPerPage,
  type Page,
  writesAtOnce,
} from '../../shared/callbacks/due-index.ts';
import { type DuePlan, duePlan, probedEnough } from '../../shared/callbacks/due-plan.ts';
import { dueShards } from '../../shared/callbacks/due-shard.ts';
import { type Message, type Queue, sendInAnyOrder } from '../../shared/queues/send-all.ts';
import type { Pause } from '../../shared/runtime/backoff.ts';
import { type Clock, minutes } from '../../shared/runtime/clock.ts';
import { inParallel } from '../../shared/runtime/in-parallel.ts';
import { startWork } from '../../shared/runtime/log.ts';

type Deps = {
  due: DueIndex;
  queue: Queue;
  clock: Clock;
  pause?: Pause;
  drainedPerRun?: number;
  rowsPerPage?: number;
};

const rules = {
  /** A row on its way through the queue is sent again after this: its message is lost, or waits behind many. */
  travelMs: minutes(15),
  rowsPerPage: 1_000,
  /** A run starts every minute and may take 60 s: the next run finds what is left. */
  runMs: 40_000,
  /** Rows of one partner that a run brings forward: an endpoint that recovered does not get its whole backlog. */
  drainedPerRun: 5_000,
  partnersNamed: 50,
} as const;

type Run = { until: number; unreachable: ReadonlySet<string>; counts: ReturnType<typeof noCounts> };

function noCounts() {
  return { sent: 0, taken: 0, passedOver: 0, broughtForward: 0, shardsCut: 0, oldestDueMs: 0 };
}

/**
 * Every minute: sends rows that are due back to the queue, and brings forward the backlog of partners whose circuit
 * has closed. Whether an attempt may be made, `deliver` decides. The log line names the partners whose circuit is
 * open.
 */
export function resumeCallbacks(deps: Deps) {
  return async (): Promise<void> => {
    const work = startWork('ResumeCallbacks');
    const counts = noCounts();
    try {
      const unreachable = await deps.due.openCircuits(deps.clock.now());
      work.addFields({ unreachablePartners: unreachable.slice(0, rules.partnersNamed) });
      work.addMetrics({ CircuitsOpen: unreachable.length });
      const run: Run = {
        until: deps.clock.now() + rules.runMs,
        unreachable: new Set(unreachable),
        counts,
      };
      await inParallel(dueShards.length, dueShards, (shard) => resumeShard(deps, run, shard));
      work.addMetrics({ OldestDueSeconds: counts.oldestDueMs / 1_000 });
      work.done('done', counts);
    } catch (error) {
      work.failed(error, counts);
      throw error;
    }
  };
}

async function resumeShard(deps: Deps, { until, unreachable, counts }: Run, shard: string): Promise<void> {
  const { due, clock, rowsPerPage = rules.rowsPerPage, drainedPerRun = rules.drainedPerRun } = deps;
  let probes: DuePlan['probes'] = new Map();
  let from: Page['next'];
  do {
    const without = probedEnough(probes);
    const size = without.length > 0 ? entriesPerPage : rowsPerPage;
    const page = await due.upTo(shard, clock.now(), { size, without, from });
    const plan = duePlan(page.rows, { nowMs: clock.now(), unreachable, probes });
    probes = plan.probes;
    counts.passedOver += page.passedOver + plan.passedOver;
    counts.oldestDueMs = Math.max(counts.oldestDueMs, plan.oldestDueMs);
    const sent = await sendDue(deps, plan.send);
    counts.sent += sent;
    counts.taken += plan.send.length - sent;
    for (const { row, partnerId } of plan.drains) {
      const { brought, finished } = await drainBacklog(deps, partnerId, { rows: drainedPerRun, until });
      counts.broughtForward += brought;
      if (finished) await due.endDrain(row);
    }
    from = page.next;
  } while (from && clock.now() < until);
  if (from) counts.shardsCut += 1;
}

/** Leases first, then sends: rows of a run that dies in between come due again when their lease ends. */
async function sendDue({ due, queue, clock, pause }: Deps, rows: readonly Due[]): Promise<number> {
  const messages: Message[] = [];
  await inParallel(writesAtOnce, rows, async (row) => {
    const leased = await due.lease(row, clock.now() + rules.travelMs);
    if (!leased) return;
    const body = retryMessage(leased, leased.version);
    messages.push({ id: String(messages.length), body, group: leased.partnerId });
  });
  await sendInAnyOrder(queue, messages, pause);
  return messages.length;
}
