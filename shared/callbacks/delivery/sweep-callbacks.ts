import type { Work } from '../../platform/logging/log.ts';
import { NotAllSent, type Queue, sendAll } from '../../platform/queues/queue.ts';
import { type Clock, days, minutes } from '../../platform/runtime/clock.ts';
import { isDataError } from '../../platform/runtime/data-error.ts';
import { inParallel } from '../../platform/runtime/in-parallel.ts';
import { dueShards } from '../../platform/table/row-keys/callbacks.ts';
import { buckets } from '../../platform/table/row-keys/row-key.ts';
import type { DuePage, DueRow } from '../../platform/table/rows.ts';
import { ownerOf } from '../alerts-endpoint.ts';
import { rowMessage } from '../callback-message.ts';
import { closed, drained, drainKeptForMs, hasOpened } from '../endpoint/circuit.ts';
import { isPosted } from '../endpoint/endpoint.ts';
import type { EndpointStore } from '../endpoint/endpoint-store.ts';
import type { FailedCallbacks } from '../endpoint/failed-callbacks.ts';
import { drainedAtPace } from '../endpoint/pace.ts';
import { viewsAgreeAfterMs } from '../endpoint/view-age.ts';
import type { DueIndex } from '../rows/due-index.ts';
import { type Shares, sharesOfEndpoints } from './shares.ts';

type SweepCallbacksDeps = {
  due: DueIndex;
  endpoints: Pick<EndpointStore, 'view' | 'stepCircuit'>;
  failedCallbacks: Pick<FailedCallbacks, 'tellIfDue'>;
  queue: Queue;
  clock: Clock;
};

const rules = {
  rowsPerPage: 1_000,
  recentMs: minutes(2),
  writesAtOnce: 10,
  /** The retention period of the queue: for this long a queued row needs no second message. */
  queuedMs: days(4),
  /**
   * A run sends at most this many rows of an endpoint that are due, so that the others come to theirs, and as many that
   * are deferred, because an endpoint recovers slowly.
   */
  sentPerRun: 5_000,
  /** A run has time for about this many that are deferred. After an outage that many endpoints share, each gets a part. */
  drainedPerRun: 20_000,
  /** A run sends at most what an endpoint's pace takes in this time: over a minute, because a run may be late. */
  pacedMs: 80_000,
  endpointsAtOnce: 4,
  endpointsNamed: 50,
  /** A circuit that could have been probed this long ago has no deferred callbacks. */
  unprobedMs: minutes(30),
  /** After one more run of a worker, no callback can be deferred any more by what it saw then. */
  drainMayEndAfterMs: viewsAgreeAfterMs + drainKeptForMs + minutes(1),
} as const;

/** `taken` counts rows that changed before they were marked: their message was already processed, or will be void. */
export const nothingSent = { sent: 0, taken: 0, probed: 0, drained: 0, shardsCut: 0, oldestDueMs: 0 };
/** The run adds to `counts`, which begin as `nothingSent`, and ends at `until`. The next run finds what it leaves. */
type Run = {
  deps: SweepCallbacksDeps;
  until: number;
  counts: typeof nothingSent;
  work: Work;
  /** The endpoints of which a row cannot be read, and callbacks whose own row cannot be. */
  damaged: { endpoints: Set<string>; rows: Set<string> };
};

/**
 * Sends messages for the callbacks that are due, and for one to probe each open circuit whose cooldown is over. Tells
 * partners whose hour is over how many of their callbacks failed. Then drains, endpoint by endpoint, what was deferred.
 * DeliverCallback decides whether an attempt may be made. The log line names the partners whose circuit is open.
 */
export async function sweepCallbacks(run: Run): Promise<void> {
  const { work } = run;
  const { due, failedCallbacks, clock } = run.deps;
  const open = await due.openCircuits();
  const now = clock.now();
  const unreachable = open.filter(
    ({ endpointId, cooldownUntil }) =>
      now - cooldownUntil < rules.unprobedMs && !ownerOf(endpointId).isAlerts,
  );
  const named = unreachable.slice(0, rules.endpointsNamed);
  work.addFields({ unreachablePartners: named.map(({ endpointId }) => endpointId) });
  // CloudWatch charges a metric for the hours that report it, and in most hours no circuit is open.
  if (unreachable.length > 0) work.addMetrics({ CircuitsOpen: unreachable.length });
  const halfOpen = open.filter(({ cooldownUntil }) => cooldownUntil <= now);
  // Half of the time is for probes and drains, however many rows of one partner are due.
  const dueUntil = (now + run.until) / 2;
  const steps = [
    async () => {
      const shares = sharesOfEndpoints(rules.sentPerRun);
      await inParallel(dueShards.length, dueShards, (shard) => sendShard(run, shard, shares, dueUntil));
      run.counts.oldestDueMs = shares.oldestDueMs(now);
      work.addFields({ beyondShare: shares.beyondShare().slice(0, rules.endpointsNamed) });
    },
    () =>
      inParallel(rules.endpointsAtOnce, halfOpen, ({ endpointId }) =>
        noteDamaged(run, endpointId, () => probe(run, endpointId)),
      ),
    async () =>
      inParallel(rules.endpointsAtOnce, await due.partnersToTell(now), (partnerId) =>
        failedCallbacks.tellIfDue(partnerId, now),
      ),
    async () => {
      const drainsAt = clock.now();
      // Before this time an instance may still see the circuit open, and would defer callbacks again.
      const settled = (await due.draining()).filter(({ since }) => drainsAt - since >= viewsAgreeAfterMs);
      // A run may not reach all of them, so each begins with another one.
      const first = Math.floor(drainsAt / minutes(1)) % settled.length;
      const inTurn = [...settled.slice(first), ...settled.slice(0, first)];
      await drainAll(run, inTurn);
    },
  ];
  // The steps run one after the other, and one that fails holds up none of the others.
  await inParallel(1, steps, (step) => step());
}

/** Remembers the endpoint whose damaged rows fail the run. */
async function noteDamaged<Done>({ damaged }: Run, endpointId: string, act: () => Promise<Done>) {
  try {
    return await act();
  } catch (error) {
    if (isDataError(error)) damaged.endpoints.add(endpointId);
    throw error;
  }
}

/**
 * Sends the rows of a shard that are due, until `until`, but no more of an endpoint than its share. If more are due
 * than a page holds, those of the last minutes go first: a run may not get past millions that are due at one time.
 */
async function sendShard(run: Run, shard: string, shares: Shares, until: number): Promise<void> {
  const { due, clock } = run.deps;
  const isInShare = shares.ofShard();
  const send = (rows: readonly DueRow[]) => sendRows(run, rows.filter(isInShare));
  const now = clock.now();
  const size = rules.rowsPerPage;
  const all = await due.upTo(shard, now, { size });
  if (!all.next) {
    await send(all.rows);
    return;
  }
  const recentSince = now - rules.recentMs;
  for (const [sinceMs, untilMs] of [[recentSince, now] as const, [0, recentSince - 1] as const]) {
    let from: DuePage['from'];
    do {
      const { rows, next } = await due.upTo(shard, untilMs, { size, sinceMs, from });
      await send(rows);
      from = next;
    } while (from && clock.now() < until);
    if (from) run.counts.shardsCut += 1;
  }
}

/** Sends the longest deferred callback as a probe. Where nothing is posted, nothing is probed: the circuit closes. */
async function probe(run: Run, endpointId: string): Promise<void> {
  const { due, endpoints, clock } = run.deps;
  if (clock.now() >= run.until) return;
  const { endpoint } = await endpoints.view(endpointId);
  if (endpoint?.status === 'enabled' && isPosted(endpoint)) {
    const oldest = await due.oldestDeferredOf(endpointId);
    const sent = oldest ? await sendRows(run, [oldest]) : 0;
    // Read after the wait: others count meanwhile.
    run.counts.probed += sent;
    return;
  }
  const now = clock.now();
  await endpoints.stepCircuit(endpointId, (circuit) => (hasOpened(circuit) ? closed(now) : circuit), {
    nowMs: now,
  });
}

/** An endpoint whose deferred callbacks are sent since then, and how many of them the run has sent. */
type Drain = { endpointId: string; since: number; sent: number };

/** Sends what was deferred, in rounds: all get an equal share, then those that have more share what is left. */
async function drainAll(run: Run, drains: readonly Omit<Drain, 'sent'>[]): Promise<void> {
  let left: number = rules.drainedPerRun;
  for (let wanting = drains.map((one): Drain => ({ ...one, sent: 0 })); wanting.length > 0 && left > 0; ) {
    const share = Math.ceil(left / wanting.length);
    const more: Drain[] = [];
    await inParallel(rules.endpointsAtOnce, wanting, async (one) => {
      const { sent, wantsMore } = await noteDamaged(run, one.endpointId, () => drain(run, one, share));
      left -= sent;
      if (wantsMore) more.push({ ...one, sent: one.sent + sent });
    });
    wanting = more;
  }
}

/**
 * Sends deferred rows of an endpoint, no more than its share. The drain ends when none are left and no worker or replay
 * can defer any more.
 */
async function drain(run: Run, { endpointId, since, sent: before }: Drain, share: number) {
  const { due, endpoints, clock } = run.deps;
  const nothing = { sent: 0, wantsMore: false };
  if (clock.now() >= run.until) return nothing;
  const { endpoint, pace } = await endpoints.view(endpointId);
  const perSecond = endpoint && isPosted(endpoint) ? endpoint.maxPerSecond : undefined;
  const atPace = { nowMs: clock.now(), runMs: rules.pacedMs };
  const atOnce = Math.min(rules.sentPerRun, perSecond ? drainedAtPace(pace, perSecond, atPace) : Infinity);
  const most = atOnce - before;
  if (most <= 0) return nothing;
  const size = Math.ceil(Math.min(most, share) / buckets.length);
  const mayEnd = clock.now() - since >= rules.drainMayEndAfterMs;
  let hasMore = false;
  let sent = 0;
  await inParallel(buckets.length, buckets, async (bucket) => {
    const { rows, next } = await due.deferredOf(endpointId, bucket, { size });
    const isOver = clock.now() >= run.until;
    if (next || isOver) hasMore = true;
    if (isOver) return;
    const ofBucket = await sendRows(run, rows);
    sent += ofBucket;
    run.counts.drained += ofBucket;
  });
  if (mayEnd && !hasMore)
    await endpoints.stepCircuit(endpointId, (c) => drained(c, since), { nowMs: clock.now() });
  return { sent, wantsMore: hasMore && sent > 0 && share < most };
}

/**
 * Sends the messages of rows, marks the rows as queued, and returns how many were sent. A run that dies in between
 * leaves rows unmarked, and the next run sends them again; the first of two messages claims the row, and the other is
 * void. Rows whose message the queue refused stay due. That failure is thrown after all others are marked.
 */
async function sendRows({ deps, counts, damaged }: Run, entries: readonly DueRow[]): Promise<number> {
  const { due, queue, clock } = deps;
  const { rows, unreadable } = await due.readUnchanged(entries);
  for (const id of unreadable) damaged.rows.add(id);
  const messages = rows.map((row) => ({ body: rowMessage(row), group: row.partnerId }));
  const refused = await sendAll(queue, messages).catch((error: unknown) => {
    if (error instanceof NotAllSent) return error;
    throw error;
  });
  const sent = rows.filter((_, n) => !refused?.unsent.includes(n));
  const nowMs = clock.now();
  counts.sent += sent.length;
  await inParallel(rules.writesAtOnce, sent, async (row) => {
    const isMarked = await due.markQueued(row, { nowMs, untilMs: nowMs + rules.queuedMs });
    if (!isMarked) counts.taken += 1;
  });
  if (refused) throw refused;
  return sent.length;
}
