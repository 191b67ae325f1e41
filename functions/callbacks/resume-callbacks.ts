import { retryMessage } from '../../shared/callbacks/callback-message.ts';
import type { Due, DueIndex, Page } from '../../shared/callbacks/due-index.ts';
import { dueShards } from '../../shared/callbacks/due-shard.ts';
import { type Message, type Queue, sendInAnyOrder } from '../../shared/queues/send-all.ts';
import type { Pause } from '../../shared/runtime/backoff.ts';
import { type Clock, minutes } from '../../shared/runtime/clock.ts';
import { inParallel } from '../../shared/runtime/in-parallel.ts';
import { startWork } from '../../shared/runtime/log.ts';
import { buckets, callbackOwner } from '../../shared/table/keys.ts';

type Deps = {
  due: DueIndex;
  queue: Queue;
  clock: Clock;
  pause?: Pause;
  drainedPerRun?: number;
  rowsPerPage?: number;
};
type Counts = {
  sent: number;
  taken: number;
  passedOver: number;
  broughtForward: number;
  shardsCut: number;
  oldestDueMs: number;
};
type Run = { deps: Deps; counts: Counts; until: number; unreachable: ReadonlySet<string> };

const rules = {
  /** A row on its way through the queue is sent again after this: its message got lost, or waits behind many. */
  travelMs: minutes(15),
  rowsPerPage: 1_000,
  /** Where most entries are passed over, millions perhaps: as many as fit into the 1 MB of an answer. */
  entriesPerPage: 10_000,
  writesAtOnce: 10,
  /** Run by the minute, with 60 s to live: what is left then is found by the next run. */
  runMs: 40_000,
  /** Rows of one partner that a run brings forward: a recovered endpoint is not hit with its whole backlog. */
  drainedPerRun: 5_000,
  /**
   * Of a partner whose circuit is open, so many rows of each shard and run: enough to probe it. The others stay
   * due. They would only be put off again, at six writes each, and what is due for others would wait behind them.
   */
  probesPerShard: 50,
  /** The index is asked to leave out so many partners, a limit of its filters; more are passed over here. */
  partnersLeftOut: 100,
  partnersNamed: 50,
} as const;

/**
 * Every minute: sends the rows whose time has come back to the queue, and brings forward the backlog of
 * partners whose circuit has closed. It reads no endpoint: whether an attempt may be made, `deliver` decides.
 * Its line names the partners whose circuit is open.
 */
export function resumeCallbacks(deps: Deps) {
  return async (): Promise<void> => {
    const work = startWork('ResumeCallbacks');
    const counts = nothingYet();
    try {
      const unreachable = await deps.due.openCircuits(deps.clock.now());
      work.addFields({ unreachablePartners: unreachable.slice(0, rules.partnersNamed) });
      work.addMetrics({ CircuitsOpen: unreachable.length });
      const until = deps.clock.now() + rules.runMs;
      const run: Run = { deps, counts, until, unreachable: new Set(unreachable) };
      await inParallel(dueShards.length, dueShards, (shard) => resumeShard(run, shard));
      work.addMetrics({ OldestDueSeconds: counts.oldestDueMs / 1_000 });
      work.done('done', counts);
    } catch (error) {
      work.failed(error, counts);
      throw error;
    }
  };
}

function nothingYet(): Counts {
  return {
    sent: 0,
    taken: 0,
    passedOver: 0,
    broughtForward: 0,
    shardsCut: 0,
    oldestDueMs: 0,
  };
}

async function resumeShard(run: Run, shard: string): Promise<void> {
  const { counts, deps } = run;
  const { due, clock } = deps;
  const probes = probesOnly(run);
  const size = deps.rowsPerPage ?? rules.rowsPerPage;
  let from: Page['next'];
  do {
    const without = probes.done();
    const page = await due.upTo(shard, clock.now(), {
      size: without.length > 0 ? rules.entriesPerPage : size,
      without,
      ...(from ? { from } : {}),
    });
    const rows = page.rows.filter(({ drains }) => drains === undefined);
    const going = rows.filter(probes.mayGo);
    counts.passedOver += page.passedOver + rows.length - going.length;
    const oldest = going.find((row) => !run.unreachable.has(callbackOwner(row)));
    if (oldest) counts.oldestDueMs = Math.max(counts.oldestDueMs, clock.now() - oldest.dueAt);
    await sendDue(run, going);
    for (const row of page.rows) if (row.drains !== undefined) await drain(run, row, row.drains);
    from = page.next;
  } while (from && clock.now() < run.until);
  if (from) counts.shardsCut += 1;
}

/** Lets all rows of a shard go, but of an unreachable partner only the first few. */
function probesOnly({ unreachable }: Run) {
  const sent = new Map<string, number>();
  return {
    mayGo: (row: Due): boolean => {
      const partnerId = callbackOwner(row);
      if (!unreachable.has(partnerId)) return true;
      const probes = (sent.get(partnerId) ?? 0) + 1;
      sent.set(partnerId, probes);
      return probes <= rules.probesPerShard;
    },
    /** The partners of whom enough has gone. */
    done: (): string[] =>
      [...sent.keys()]
        .filter((partnerId) => (sent.get(partnerId) ?? 0) >= rules.probesPerShard)
        .slice(0, rules.partnersLeftOut),
  };
}

/** Leases first, then sends: a run that dies in between leaves rows that come due again when the lease ends. */
async function sendDue({ deps, counts }: Run, rows: readonly Due[]): Promise<void> {
  const { due, queue, clock, pause } = deps;
  const messages: Message[] = [];
  await inParallel(rules.writesAtOnce, rows, async (row) => {
    const leased = await due.lease(row, clock.now() + rules.travelMs);
    if (leased) {
      const body = retryMessage(leased, leased.version);
      messages.push({ id: String(messages.length), body, group: leased.partnerId });
    } else counts.taken += 1;
  });
  await sendInAnyOrder(queue, messages, pause);
  counts.sent += messages.length;
}

/**
 * Brings a partner's later rows forward to now, an equal share from each bucket; they are sent like all that is
 * due, by this run or the next.
 */
async function drain(run: Run, row: Due, partnerId: string): Promise<void> {
  const { deps, counts } = run;
  const nowMs = deps.clock.now();
  const share = Math.ceil((deps.drainedPerRun ?? rules.drainedPerRun) / buckets.length);
  let unfinished = 0;
  await inParallel(buckets.length, buckets, async (bucket) => {
    const { brought, finished } = await drainBucket(run, { partnerId, bucket, nowMs, share });
    counts.broughtForward += brought;
    if (!finished) unfinished += 1;
  });
  if (unfinished === 0) await deps.due.endDrain(row);
}

type Share = { partnerId: string; bucket: number; nowMs: number; share: number };

async function drainBucket({ deps, until }: Run, { nowMs, share, ...where }: Share) {
  const { due, clock } = deps;
  let from: Page['next'];
  let room = share;
  let passedBy = 0;
  do {
    const page = await due.laterOf(where, nowMs, { size: rules.entriesPerPage, ...(from ? { from } : {}) });
    await inParallel(rules.writesAtOnce, page.rows, async (later) => {
      if (room === 0) {
        passedBy += 1;
        return;
      }
      room -= 1;
      // On its way or under attempt: it takes nobody's place.
      if (!(await due.bringForward(later, nowMs))) room += 1;
    });
    from = page.next;
  } while (from && room > 0 && clock.now() < until);
  return { brought: share - room, finished: passedBy === 0 && !from };
}
