import type { Exchange } from './actors/exchanges.ts';
import type { Lift } from './actors/partners.ts';

/** A time in which no attempt may begin. Its first and last moment are not part of it. */
export type Rest = {
  from: number;
  until: number;
  why: string;
  /** When the circuit opened that causes it. */
  openedAt?: number;
};

type Ended = Required<Exchange>;

/** The outcome of an attempt is in the table at most this long after its end. */
const writtenWithinMs = 4_000;
/** Rule 45: it is in force everywhere 5 s later. */
export const inForceWithinMs = writtenWithinMs + 5_000;

const firstCooldownMs = 30_000;
const longestRestMs = 900_000;

export function isEnded(exchange: Exchange): exchange is Ended {
  return exchange.endedAt !== undefined;
}

/** Rule 35: returns how long this response asks to leave the endpoint alone. */
export function pauseOf({ result }: Exchange): number {
  if (!result || result.ok || ![429, 502, 503, 504].includes(result.httpStatus ?? 0)) return 0;
  return Math.min(Number(result.retryAfter ?? 0) * 1_000, longestRestMs);
}

export function cooldownOf(openings: number): number {
  return Math.min(firstCooldownMs * 2 ** (openings - 1), longestRestMs);
}

/** A lift ends the rests that were caused before it was over. */
function cut(rest: Rest, madeAt: number, lifts: readonly Lift[]): Rest {
  const next = lifts.find(({ to }) => to >= madeAt);
  return next ? { ...rest, until: Math.min(rest.until, next.from) } : rest;
}

/** Rule 35: returns the pauses that an endpoint asks for, less 1 s: of two that end within 1 s, the first counts. */
export function pauseRests(exchanges: readonly Exchange[], lifts: readonly Lift[]): Rest[] {
  return exchanges.filter(isEnded).flatMap((one) => {
    const pauseMs = pauseOf(one);
    const rest = {
      from: one.endedAt + inForceWithinMs,
      until: one.endedAt + pauseMs - 1_000,
      why: `asked for ${pauseMs} ms`,
    };
    return pauseMs > 0 ? [cut(rest, one.endedAt, lifts)] : [];
  });
}

type Open = {
  /** The end of the failure that opened the circuit. */
  openedAt: number;
  until: number;
  pausedUntil: number;
  /** The time from which every worker knows that the circuit is open; the next attempt after `until` is the probe. */
  knownAt: number;
};

/** The certain facts about a circuit after some of the exchanges. */
type Circuit = {
  isSure: boolean;
  failures: number;
  openings: number;
  lastSuccessAt: number;
  open: Open | undefined;
};

const healthy: Omit<Circuit, 'lastSuccessAt'> = {
  isSure: true,
  failures: 0,
  openings: 0,
  open: undefined,
};

function isProbe(open: Open, { startedAt }: Exchange): boolean {
  return startedAt >= Math.max(open.until, open.knownAt);
}

/** Applies a failure to the circuit. Returns the rest that it causes, if any. */
function fail(circuit: Circuit, one: Ended): Rest | undefined {
  const { open, openings } = circuit;
  const { startedAt, endedAt } = one;
  const pausedUntil = endedAt + pauseOf(one);
  if (open && startedAt < open.until) {
    const until = Math.max(open.until, pausedUntil);
    if (pauseOf(one) > 0)
      circuit.open = { ...open, until, pausedUntil: Math.max(open.pausedUntil, pausedUntil) };
    return undefined;
  }
  circuit.isSure = open ? isProbe(open, one) : endedAt - circuit.lastSuccessAt > inForceWithinMs;
  circuit.failures += 1;
  const waitMs = Math.max(open || circuit.failures >= 5 ? cooldownOf(openings + 1) : 0, pauseOf(one));
  if (!circuit.isSure || waitMs === 0) return undefined;
  const knownAt = open?.knownAt ?? endedAt + inForceWithinMs;
  circuit.openings += 1;
  circuit.open = { openedAt: endedAt, until: endedAt + waitMs, pausedUntil, knownAt };
  const why = `opened ${circuit.openings} times`;
  if (open) return { from: startedAt, until: endedAt + waitMs, why, openedAt: endedAt };
  // Another of several failures that ended together may have opened the circuit, a little earlier.
  return { from: knownAt, until: endedAt + waitMs - writtenWithinMs, why, openedAt: endedAt };
}

/** `isLastWord` is true if no failure ended near this success and no pause outlasts it. */
function succeed(circuit: Circuit, { startedAt, endedAt }: Ended, isLastWord: boolean): void {
  const { isSure, open, failures } = circuit;
  circuit.lastSuccessAt = endedAt;
  if (isLastWord) Object.assign(circuit, healthy);
  else if (!open) circuit.isSure = isSure && failures === 0;
  else if (Math.abs(startedAt - open.openedAt) <= writtenWithinMs) circuit.isSure = false;
  else if (isSure && startedAt > open.openedAt && endedAt >= open.pausedUntil)
    Object.assign(circuit, healthy);
}

/**
 * Rule 24: returns the rests of an endpoint that fails. Successes of a healthy endpoint are not stored, so it is
 * uncertain which failures next to one count. From there on no rest is returned until a success is certainly the last
 * word.
 */
export function failureRests(exchanges: readonly Exchange[], lifts: readonly Lift[]): Rest[] {
  const ended = exchanges.filter(isEnded);
  const failures = ended.filter(({ result }) => !result.ok);
  const hasFailureIn = (from: number, to: number) =>
    failures.some(({ endedAt }) => endedAt >= from && endedAt <= to);
  const isPausedAt = (atMs: number) =>
    failures.some((one) => one.endedAt <= atMs && one.endedAt + pauseOf(one) > atMs);
  const circuit: Circuit = { ...healthy, lastSuccessAt: Number.NEGATIVE_INFINITY };
  /** Maps the opening of a circuit to the end of the success that closed it, or may have. */
  const closedAt = new Map<number, number>();

  const happen = (one: Ended): Rest[] => {
    const { open, isSure } = circuit;
    const { startedAt, endedAt } = one;
    // The first attempt after the rest is the probe. No other may begin until it has ended.
    const probe = isSure && open && isProbe(open, one) && ended.find((other) => isProbe(open, other));
    const rests = probe ? [{ from: probe.startedAt, until: probe.endedAt, why: 'being probed' }] : [];
    const isQuiet = !hasFailureIn(startedAt - inForceWithinMs, endedAt + inForceWithinMs);
    if (one.result.ok) succeed(circuit, one, isQuiet && !isPausedAt(endedAt));
    if (one.result.ok && open && !closedAt.has(open.openedAt) && (circuit.open !== open || !circuit.isSure))
      closedAt.set(open.openedAt, endedAt);
    const made = one.result.ok || !isSure ? undefined : fail(circuit, one);
    return [...rests, ...(made ? [made] : [])].map((rest) => cut(rest, endedAt, lifts));
  };
  const lift = ({ from, to }: Lift): Rest[] => {
    const isSure = !hasFailureIn(from - inForceWithinMs, to + writtenWithinMs);
    Object.assign(circuit, healthy, { isSure });
    return [];
  };

  return [
    ...ended.map((one) => ({ atMs: one.endedAt, run: () => happen(one) })),
    ...lifts.map((one) => ({ atMs: one.to, run: () => lift(one) })),
  ]
    .sort((a, b) => a.atMs - b.atMs)
    .flatMap(({ run }) => run())
    .map((rest) => ({
      ...rest,
      until: Math.min(rest.until, closedAt.get(rest.openedAt ?? 0) ?? rest.until),
    }));
}

/** Returns the attempts that begin during a rest. */
export function begunIn(rests: readonly Rest[], exchanges: readonly Exchange[]): string[] {
  return rests.flatMap(({ from, until, why }) =>
    exchanges
      .filter(({ startedAt }) => startedAt > from && startedAt < until)
      .map(({ webhookId, startedAt }) => `${webhookId} at ${startedAt}: ${why}, from ${from} to ${until}`),
  );
}
