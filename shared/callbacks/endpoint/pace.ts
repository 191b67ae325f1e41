import { setImmediate } from 'node:timers/promises';
import { type Clock, minutes } from '../../platform/runtime/clock.ts';
import type { Random } from '../../platform/runtime/random.ts';
import { isThrottling } from '../../platform/runtime/time-left.ts';
import type { PaceWait } from '../callback-message.ts';
import { circuitState, isOpen } from './circuit.ts';
import { lineUntil, type PaceStore } from './pace-store.ts';
import type { EndpointViews } from './views.ts';

const paceRules = {
  /**
   * An attempt may begin this long after its slot. A second then has the attempts of 1.1 s of slots at most. The rest of
   * the 1.2 s that we promise allows for differences between clocks, and for the network.
   */
  latestMs: 100,
  /** A worker sleeps until its slots, so it takes no slot that begins later than this. */
  reachMs: 3_000,
  /** A worker takes the slots of this time at once, but no more than it can begin in time. */
  spanMs: 2_000,
  mostSlots: 100,
  /** A message returns this long before its time in the line, and up to a second more: SQS delays by whole seconds. */
  earlyMs: 1_000,
  /** A row takes 1,000 writes a second. A message whose write the table refuses returns within this time. */
  throttledMs: 30_000,
  /** Messages that wait see a change of the pace after this time at most. SQS could delay them by 15 minutes. */
  longestDelayMs: minutes(5),
} as const;

/** `waits` is present if the message has waited before. */
type Request = { count: number; waits?: PaceWait | undefined };

/** A slot for each of the first callbacks of a message, and where in the line the others wait. */
export type Paced = { slots: number[]; waits?: PaceWait | undefined };

/** Requests of one partner that share a write. */
type Shared = { requests: Request[]; paced: Promise<Paced[]> };
type Deps = { paces: PaceStore; views: EndpointViews; clock: Clock; random: Random };

/**
 * Keeps the pace of endpoints that have one. Each attempt needs a slot. A row hands out each slot once, over all workers,
 * and only for the next seconds. A message without slots gets a place in a line, which is a time to come back. The line
 * only spreads messages: nothing is lost or too fast when one comes early, late, twice or never.
 */
export function endpointPace({ paces, views, clock, random }: Deps) {
  /** Messages of a batch ask at the same time, and share the writes of their partner. */
  const pending = new Map<string, Shared>();

  /** `undefined` when the table refuses the write, because the row has too many. */
  const take = async (partnerId: string, step: Parameters<PaceStore['take']>[1]) => {
    const { pace: seen } = await views.of(partnerId);
    const taken = await paces.take(partnerId, step, seen).catch((error: unknown) => {
      if (!isThrottling(error)) throw error;
      return undefined;
    });
    if (taken) await views.remember(partnerId, { pace: taken.pace });
    return taken;
  };

  const takeForAll = async (partnerId: string, perSecond: number, requests: readonly Request[]) => {
    const now = clock.now();
    const intervalMs = 1_000 / perSecond;
    let { pace, circuit } = await views.of(partnerId);
    // A new message goes to the end of the line. While the circuit is open it takes a slot, because one is the probe.
    const isFree = lineUntil(pace, perSecond) <= now || isOpen(circuit);
    const mayTake = ({ waits }: Request) => waits !== undefined || isFree;
    const takers = new Set(requests.filter(mayTake));
    const wanted = slotsAtOnce(perSecond, countOf([...takers]));
    let slots: number[] = [];
    let isThrottled = false;
    if (wanted > 0 && pace.slotsUntil <= now + paceRules.reachMs) {
      const taken = await take(partnerId, {
        of: 'slotsUntil',
        from: now,
        atMost: now + paceRules.reachMs,
        spanMs: wanted * intervalMs,
        nowMs: now,
        oldestSince: Math.min(...[...takers].map(({ waits }) => waits?.since ?? now)),
      });
      isThrottled = taken === undefined;
      pace = taken?.pace ?? pace;
      const start = taken?.start;
      if (start !== undefined) slots = Array.from({ length: wanted }, (_, n) => start + n * intervalMs);
    }
    const served = requests.map((request) => ({
      request,
      slots: takers.has(request) ? slots.splice(0, request.count) : [],
    }));
    const waiting = served.filter(({ slots: own }) => own.length === 0).map(({ request }) => request);
    let place = now + random() * paceRules.throttledMs;
    if (waiting.length > 0 && !isThrottled) {
      const from = Math.max(now, pace.slotsUntil);
      const spanMs = countOf(waiting) * intervalMs;
      const line = await take(partnerId, { of: 'lineUntil', perSecond, from, spanMs, nowMs: now });
      place = line?.start ?? place;
    }
    return served.map(({ request: { count, waits }, slots: own }) => {
      if (own.length === count) return { slots: own };
      const since = waits?.since ?? now;
      // A message with slots for some of its callbacks returns when these slots are over.
      if (own.length > 0) return { slots: own, waits: { since, until: pace.slotsUntil, perSecond } };
      const until = place;
      place += count * intervalMs;
      return { slots: own, waits: { since, until, perSecond } };
    });
  };

  return {
    /** `undefined` if the endpoint has no pace, or gets no attempts at all. */
    takeSlots: async (partnerId: string, request: Request): Promise<Paced | undefined> => {
      const { endpoint, circuit } = await views.of(partnerId);
      const now = clock.now();
      const { status, maxPerSecond } = endpoint ?? {};
      if (maxPerSecond === undefined || status !== 'enabled') return undefined;
      const { waits } = request;
      // The message stays in the line while the circuit is open, so that the line has a message for each place.
      if (waits?.perSecond === maxPerSecond && waits.until > now + paceRules.reachMs)
        return { slots: [], waits };
      if (circuitState(circuit, now).kind === 'open') return undefined;
      const known = pending.get(partnerId);
      const requests = known?.requests ?? [];
      const position = requests.push(request) - 1;
      const paced =
        known?.paced ??
        setImmediate().then(() => {
          pending.delete(partnerId);
          return takeForAll(partnerId, maxPerSecond, requests);
        });
      if (!known) pending.set(partnerId, { requests, paced });
      return (await paced)[position];
    },
  };
}

/** Whether an attempt that begins now keeps the pace. */
export function isInTime(slot: number | undefined, nowMs: number): boolean {
  return slot !== undefined && nowMs <= slot + paceRules.latestMs;
}

/** How many slots a worker takes in one write. A pace is a whole number from 1 on. */
export function slotsAtOnce(perSecond: number, needed: number): number {
  return Math.min(needed, paceRules.mostSlots, (perSecond * paceRules.spanMs) / 1_000);
}

/** How long SQS delays a message that waits: 0 to 300 s. */
export function delaySecondsOf({ until }: PaceWait, nowMs: number): number {
  const delayMs = Math.min(until - paceRules.earlyMs - nowMs, paceRules.longestDelayMs);
  return Math.max(0, Math.floor(delayMs / 1_000));
}

function countOf(requests: readonly Request[]): number {
  return requests.reduce((sum, { count }) => sum + count, 0);
}
