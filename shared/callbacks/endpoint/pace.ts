import { setImmediate } from 'node:timers/promises';
import { type Clock, days, epochSeconds, hours, minutes } from '../../platform/runtime/clock.ts';
import type { Random } from '../../platform/runtime/random.ts';
import { isThrottling } from '../../platform/runtime/time-left.ts';
import type { Table } from '../../platform/table/table.ts';
import type { PlaceInLine } from '../callback-message.ts';
import { circuitState, hasOpened } from './circuit.ts';
import { lineUntil, type Pace, type Span, takeSpan } from './pace-store.ts';
import type { EndpointViews } from './views.ts';

const paceRules = {
  /**
   * An attempt may begin this long after its slot. A second then has the attempts of 1.1 s of slots at most. The rest of
   * the 1.2 s that we promise allows for differences between clocks, and for the network.
   */
  lateByMs: 100,
  /** A worker sleeps until its slots, so it takes no slot that begins later than this. */
  reachMs: 3_000,
  /** A worker takes the slots of this time at once, but no more than it can begin in time. */
  spanMs: 2_000,
  mostSlots: 100,
  /** A message returns this long before its time in the line, and up to a second more: SQS delays by whole seconds. */
  earlyMs: 1_000,
  /** A row takes 1,000 writes a second. A message whose write the table refuses returns within this time. */
  throttledMs: 30_000,
  /** Messages in line see a change of the pace after this time at most. SQS could delay them by 15 minutes. */
  longestDelayMs: minutes(5),
  /** Returning for longer than this costs a message more than the row of a callback that is deferred. */
  longestLineMs: hours(1),
  /** A drain goes on while new callbacks keep the line full. */
  drainedLineMs: 30_000,
  /** A row is sent by a drain, or because it is due. Its message joins a line that has become full meanwhile. */
  rowsLineMs: minutes(1),
  /** A row that was not changed for this long only says that all slots are free. */
  keptMs: days(30),
} as const;

/** A message asks for a slot for each of its callbacks. `inLine` is present if it was in line before. */
type SlotRequest = { count: number; ofRow: boolean; inLine?: PlaceInLine | undefined };

/** When a callback is attempted: in its slot, a time in ms. If the line is full it is deferred. */
export type Slot = number | 'line full';

/** The slots of the first callbacks of a message, and when the message returns for the others. */
export type Paced = { slots: Slot[]; inLine?: PlaceInLine | undefined };

/** `start` is when the span begins that was taken, if one was free. The table may refuse the write as one too many. */
type Taken = { pace: Pace; start?: number; isThrottled?: true };

type Deps = { table: Table; views: EndpointViews; clock: Clock; random: Random };

/**
 * Keeps the pace of endpoints that have one. Each attempt needs a slot. A row hands out each slot once, over all workers,
 * and only for the next seconds. A message without slots joins a line, which gives it a time to come back. The line
 * only spreads messages: nothing is lost or too fast when one comes early, late, twice or never.
 */
export function endpointPace({ table, views, clock, random }: Deps) {
  /** Messages of a batch ask at the same time, and share the writes of their partner. */
  const sharing = new Map<string, { requests: SlotRequest[]; paced: Promise<Paced[]> }>();

  const take = async (endpointId: string, span: Span): Promise<Taken> => {
    const { pace: seen } = await views.of(endpointId);
    try {
      const taken = await takeSpan(table, { endpointId, seen, ...span });
      await views.remember(endpointId, { pace: taken.pace });
      return taken;
    } catch (error) {
      if (isThrottling(error)) return { pace: seen, isThrottled: true };
      throw error;
    }
  };

  /**
   * Divides slots among the messages of a batch, in three steps: takes slots, for those that may have some; takes times in
   * the line, for those that got none, unless it is full; and says to each message what it has.
   */
  const divide = async (endpointId: string, perSecond: number, requests: readonly SlotRequest[]) => {
    const now = clock.now();
    const takesUntil = now + paceRules.reachMs;
    const intervalMs = 1_000 / perSecond;
    const expiresAt = epochSeconds(now + paceRules.keptMs);
    const { pace: seen, circuit } = await views.of(endpointId);
    // A new message goes to the end of the line. While the circuit is open it takes a slot, because one is the probe.
    const isLineEmpty = lineUntil(seen, perSecond) <= now || hasOpened(circuit);
    const mayTake = ({ inLine }: SlotRequest) => inLine !== undefined || isLineEmpty;
    const takers = requests.filter(mayTake);
    const wanted = slotsAtOnce(perSecond, countOf(takers));
    const spanOfSlots: Span = {
      of: 'slotsUntil',
      from: now,
      atMost: takesUntil,
      spanMs: wanted * intervalMs,
      set: { oldestSince: Math.min(...takers.map(({ inLine }) => inLine?.since ?? now)), expiresAt },
    };
    const mayBeFree = wanted > 0 && seen.slotsUntil <= takesUntil;
    const none: Taken = { pace: seen };
    const { pace, start, isThrottled } = mayBeFree ? await take(endpointId, spanOfSlots) : none;
    const slots = start === undefined ? [] : Array.from({ length: wanted }, (_, n) => start + n * intervalMs);
    const served = requests.map((one) => ({ ...one, slots: mayTake(one) ? slots.splice(0, one.count) : [] }));
    const lineMs = lineUntil(pace, perSecond) - now;
    const mayJoin = ({ inLine, ofRow }: SlotRequest) =>
      inLine?.perSecond === perSecond ||
      lineMs < paceRules.longestLineMs + (ofRow ? paceRules.rowsLineMs : 0);
    const unserved = served.filter((one) => one.slots.length === 0 && mayJoin(one));
    const spanOfTimes: Span = {
      of: 'lineUntil',
      from: Math.max(now, pace.slotsUntil),
      spanMs: countOf(unserved) * intervalMs,
      set: { linePerSecond: perSecond, expiresAt },
    };
    const line = !isThrottled && unserved.length > 0 ? await take(endpointId, spanOfTimes) : none;
    // When the next message without slots returns: in line, or by chance if the table refused a write.
    let nextInLine = line.start ?? now + random() * paceRules.throttledMs;
    return served.map((one): Paced => {
      const { count, inLine, slots: own } = one;
      if (own.length === count) return { slots: own };
      if (own.length === 0 && !mayJoin(one)) return { slots: Array(count).fill('line full') };
      // A message with slots for some of its callbacks returns when these slots are over.
      const until = own.length > 0 ? pace.slotsUntil : nextInLine;
      if (own.length === 0) nextInLine += count * intervalMs;
      return { slots: own, inLine: { since: inLine?.since ?? now, until, perSecond } };
    });
  };

  return {
    /** `undefined` if the endpoint has no pace, or gets no attempts at all. */
    takeSlots: async (endpointId: string, request: SlotRequest): Promise<Paced | undefined> => {
      const { endpoint, circuit } = await views.of(endpointId);
      const now = clock.now();
      const { status, maxPerSecond } = endpoint ?? {};
      if (maxPerSecond === undefined || status !== 'enabled') return undefined;
      const { inLine } = request;
      // The message stays in line while the circuit is open, so that the line has a message for each of its times.
      if (inLine?.perSecond === maxPerSecond && inLine.until > now + paceRules.reachMs)
        return { slots: [], inLine };
      if (circuitState(circuit, now).kind === 'open') return undefined;
      const known = sharing.get(endpointId);
      const requests = known?.requests ?? [];
      const position = requests.push(request) - 1;
      const paced =
        known?.paced ??
        setImmediate().then(() => {
          sharing.delete(endpointId);
          return divide(endpointId, maxPerSecond, requests);
        });
      if (!known) sharing.set(endpointId, { requests, paced });
      return (await paced)[position];
    },
  };
}

/** How many deferred callbacks a drain sends in `runMs`: what the pace takes in that time, unless the line is full. */
export function drainedAtPace(
  pace: Pace,
  perSecond: number,
  { nowMs, runMs }: { nowMs: number; runMs: number },
): number {
  const fullMs = paceRules.longestLineMs + paceRules.drainedLineMs;
  const roomMs = nowMs + fullMs - lineUntil(pace, perSecond);
  return (perSecond * Math.max(0, Math.min(runMs, roomMs))) / 1_000;
}

/** Whether an attempt that begins now keeps the pace. */
export function isInTime(slot: number | undefined, nowMs: number): boolean {
  return slot !== undefined && nowMs <= slot + paceRules.lateByMs;
}

/** How many slots a worker takes in one write. A pace is a whole number from 1 on. */
export function slotsAtOnce(perSecond: number, needed: number): number {
  return Math.min(needed, paceRules.mostSlots, (perSecond * paceRules.spanMs) / 1_000);
}

/** How long SQS delays a message in line: 0 to 300 s. */
export function delaySecondsOf({ until }: PlaceInLine, nowMs: number): number {
  const delayMs = Math.min(until - paceRules.earlyMs - nowMs, paceRules.longestDelayMs);
  return Math.max(0, Math.floor(delayMs / 1_000));
}

function countOf(requests: readonly SlotRequest[]): number {
  return requests.reduce((sum, { count }) => sum + count, 0);
}
