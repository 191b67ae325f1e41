import { retryMessage } from '../../shared/callbacks/callback-message.ts';
import type { Due, DueIndex, Page } from '../../shared/callbacks/due-index.ts';
import { dueShards } from '../../shared/callbacks/due-shard.ts';
import { type Message, type Queue, sendAll } from '../../shared/queues/send-all.ts';
import type { Pause } from '../../shared/runtime/backoff.ts';
import { type Clock, minutes } from '../../shared/runtime/clock.ts';
import { inParallel } from '../../shared/runtime/in-parallel.ts';
import { startWork } from '../../shared/runtime/log.ts';

type Deps = { due: DueIndex; queue: Queue; clock: Clock; pause?: Pause; drainedPerRun?: number };
type Counts = { sent: number; taken: number; broughtForward: number; shardsCut: number; oldestDueMs: number };
type Run = { deps: Deps; counts: Counts; until: number };

const rules = {
  /** A row on its way through the queue is sent again after this: its message got lost, or waits behind many. */
  travelMs: minutes(15),
  rowsPerPage: 200,
  writesAtOnce: 10,
  /** Run by the minute, with 60 s to live: what is left then is found by the next run. */
  runMs: 40_000,
  /** Rows of one partner that a run brings forward: a recovered endpoint is not hit with its whole backlog. */
  drainedPerRun: 5_000,
  partnersNamed: 50,
} as const;

/**
 * Every minute: sends the rows whose time has come back to the queue, and brings forward the backlog of
 * partners whose circuit has closed. It reads no endpoint: whether an attempt may be made, `deliver` decides.
 * Its line names the partners whose circuit is open.
 */
export const resumeCallbacks = (deps: Deps) => async (): Promise<void> => {
  const work = startWork('ResumeCallbacks');
  const counts: Counts = { sent: 0, taken: 0, broughtForward: 0, shardsCut: 0, oldestDueMs: 0 };
  const run: Run = { deps, counts, until: deps.clock.now() + rules.runMs };
  try {
    const unreachable = await deps.due.openCircuits(deps.clock.now());
    work.note({ unreachablePartners: unreachable.slice(0, rules.partnersNamed) });
    work.measure({ CircuitsOpen: unreachable.length });
    await inParallel(dueShards.length, dueShards, (shard) => resumeShard(run, shard));
    work.measure({ OldestDueSeconds: counts.oldestDueMs / 1_000 });
    work.done('done', counts);
  } catch (error) {
    work.failed(error, counts);
    throw error;
  }
};

const resumeShard = async (run: Run, shard: string): Promise<void> => {
  const { counts, deps } = run;
  const { due, clock } = deps;
  let from: Page['next'];
  do {
    const page = await due.upTo(shard, clock.now(), { size: rules.rowsPerPage, ...(from ? { from } : {}) });
    const [oldest] = page.rows;
    if (oldest) counts.oldestDueMs = Math.max(counts.oldestDueMs, clock.now() - oldest.dueAt);
    await sendDue(
      run,
      page.rows.filter(({ drains }) => drains === undefined),
    );
    for (const row of page.rows) if (row.drains !== undefined) await drain(run, row, row.drains);
    from = page.next;
  } while (from && clock.now() < run.until);
  if (from) counts.shardsCut += 1;
};

/** Leases first, then sends: a run that dies in between leaves rows that come due again when the lease ends. */
const sendDue = async ({ deps, counts }: Run, rows: readonly Due[]): Promise<void> => {
  const { due, queue, clock, pause } = deps;
  const messages: Message[] = [];
  await inParallel(rules.writesAtOnce, rows, async (row) => {
    const leased = await due.lease(row, clock.now() + rules.travelMs);
    if (leased) {
      const body = retryMessage(leased, leased.turn);
      messages.push({ id: String(messages.length), body, group: leased.partnerId });
    } else counts.taken += 1;
  });
  await sendAll(queue, messages, pause);
  counts.sent += messages.length;
};

/** Brings a partner's later rows forward to now; they are sent like all that is due, by this run or the next. */
const drain = async ({ deps, counts, until }: Run, row: Due, partnerId: string): Promise<void> => {
  const { due, clock } = deps;
  const now = clock.now();
  let from: Page['next'];
  let brought = 0;
  do {
    const page = await due.laterOf(partnerId, now, { size: rules.rowsPerPage, ...(from ? { from } : {}) });
    await inParallel(rules.writesAtOnce, page.rows, async (later) => {
      if (await due.bringForward(later, now)) brought += 1;
    });
    from = page.next;
  } while (from && brought < (deps.drainedPerRun ?? rules.drainedPerRun) && clock.now() < until);
  counts.broughtForward += brought;
  if (!from) await due.endDrain(row);
};
