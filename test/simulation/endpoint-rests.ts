import type { Exchange } from './actors/exchanges.ts';

/** A time in which no attempt may begin, without its ends. */
export interface Rest {
  readonly from: number;
  readonly until: number;
  readonly why: string;
}

/** An operator enables the endpoint or its partner moves it, which closes its circuit at some moment of this time. */
export interface Lift {
  readonly from: number;
  readonly to: number;
}

type Ended = Required<Exchange>;

/** What an attempt has found out is in the table so soon after its end. */
const writtenWithinMs = 4_000;
/** Rule 45: and in force everywhere 5 s later. */
export const inForceWithinMs = writtenWithinMs + 5_000;

const windowMs = 300_000;
const firstCooldownMs = 30_000;
const longestRestMs = 900_000;

export function isEnded(exchange: Exchange): exchange is Ended {
  return exchange.endedAt !== undefined;
}

function statusOf({ result }: Exchange): number | undefined {
  return result?.httpStatus;
}

/** Rule 35: for how long this response asks to leave the endpoint alone. */
export function pauseOf({ result }: Exchange): number {
  if (!result || result.ok || ![429, 502, 503, 504].includes(result.httpStatus ?? 0)) return 0;
  return Math.min(Number(result.retryAfter ?? 0) * 1_000, longestRestMs);
}

export function cooldownOf(openings: number): number {
  return Math.min(firstCooldownMs * 2 ** (openings - 1), longestRestMs);
}

/** A lift ends the rests that were made before it was over. */
function cut(rest: Rest, madeAt: number, lifts: readonly Lift[]): Rest {
  const next = lifts.find(({ to }) => to >= madeAt);
  return next ? { ...rest, until: Math.min(rest.until, next.from) } : rest;
}

/** Rule 35: the pauses that an endpoint asks for. Of two that end within a second the first counts. */
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

/** Rule 23: 410 ends calls until the endpoint is enabled. */
export function goneRests(exchanges: readonly Exchange[], enablings: readonly Lift[]): Rest[] {
  return exchanges.filter(isEnded).flatMap((one) => {
    const rest = {
      from: one.endedAt + inForceWithinMs - 1_000,
      until: Number.POSITIVE_INFINITY,
      why: 'gone',
    };
    return statusOf(one) === 410 ? [cut(rest, one.endedAt, enablings)] : [];
  });
}

interface Open {
  /** When its last failure ended, which opened it. */
  readonly openedAt: number;
  readonly until: number;
  readonly pausedUntil: number;
  /** When every worker knows that it is open: from then on an attempt that begins is the probe. */
  readonly knownAt: number;
}

/**
 * Rule 24: the rests of an endpoint that fails. Successes of a healthy endpoint are not stored, so which failures beside
 * one count is left open: from there on nothing is said until a success is surely the last word.
 */
export function failureRests(exchanges: readonly Exchange[], lifts: readonly Lift[]): Rest[] {
  const rests: Rest[] = [];
  const ended = exchanges.filter(isEnded).sort((a, b) => a.endedAt - b.endedAt);
  const failures = ended.filter(({ result }) => !result.ok);
  const pauses = failures.map((one) => one.endedAt + pauseOf(one));
  const hasFailureIn = (from: number, to: number) =>
    failures.some(({ endedAt }) => endedAt >= from && endedAt <= to);
  let isSure = true;
  let weight = 0;
  let openings = 0;
  let lastFailureAt = Number.NEGATIVE_INFINITY;
  let lastSuccessAt = Number.NEGATIVE_INFINITY;
  let open: Open | undefined;

  const heal = (): void => {
    isSure = true;
    weight = 0;
    openings = 0;
    open = undefined;
    lastFailureAt = Number.NEGATIVE_INFINITY;
  };

  const fail = (one: Ended): void => {
    const { startedAt, endedAt, result } = one;
    const isAfterRest = open !== undefined && startedAt >= open.until;
    const isProbe = isAfterRest && startedAt >= (open?.knownAt ?? 0);
    const pausedUntil = endedAt + pauseOf(one);
    if (open && !isAfterRest) {
      if (pauseOf(one) > 0)
        open = {
          ...open,
          until: Math.max(open.until, pausedUntil),
          pausedUntil: Math.max(open.pausedUntil, pausedUntil),
        };
      return;
    }
    const gapMs = endedAt - lastFailureAt;
    const isBesideSuccess = endedAt - lastSuccessAt <= inForceWithinMs;
    if (
      isAfterRest !== isProbe ||
      (!isProbe && (isBesideSuccess || Math.abs(gapMs - windowMs) <= writtenWithinMs))
    ) {
      isSure = false;
      return;
    }
    if (!isProbe)
      weight = (gapMs <= windowMs ? weight : 0) + (!result.ok && result.error === 'timeout' ? 2 : 1);
    lastFailureAt = endedAt;
    const waitMs = Math.max(isProbe || weight >= 5 ? cooldownOf(openings + 1) : 0, pauseOf(one));
    if (waitMs === 0) return;
    openings += 1;
    open = {
      openedAt: endedAt,
      until: endedAt + waitMs,
      pausedUntil,
      knownAt: open?.knownAt ?? endedAt + inForceWithinMs,
    };
    const from = isProbe ? startedAt : endedAt + inForceWithinMs;
    // Of failures that ended together another may have been the last.
    const until = open.until - (isProbe ? 0 : writtenWithinMs);
    rests.push(cut({ from, until, why: `opened ${openings} times` }, endedAt, lifts));
  };

  const succeed = ({ startedAt, endedAt }: Ended): void => {
    lastSuccessAt = endedAt;
    const isLastWord = !hasFailureIn(startedAt - inForceWithinMs, endedAt + inForceWithinMs);
    const isPaused = pauses.some((until) => until > endedAt);
    if (isLastWord && !isPaused) heal();
    if (!isSure || (!open && weight === 0)) return;
    if (!open || Math.abs(startedAt - open.openedAt) <= writtenWithinMs) {
      isSure = false;
      return;
    }
    if (startedAt > open.openedAt && endedAt >= open.pausedUntil) heal();
  };

  const lift = ({ from, to }: Lift): void => {
    heal();
    isSure = !hasFailureIn(from - inForceWithinMs, to + writtenWithinMs);
  };

  const events = [
    ...ended.map((one) => ({ atMs: one.endedAt, run: () => happen(one) })),
    ...lifts.map((one) => ({ atMs: one.to, run: () => lift(one) })),
  ];
  const happen = (one: Ended): void => {
    if (one.result.ok) succeed(one);
    else if (isSure) fail(one);
  };
  for (const { run } of events.sort((a, b) => a.atMs - b.atMs)) run();
  return rests;
}

/** Attempts that begin in a rest. */
export function begunIn(rests: readonly Rest[], exchanges: readonly Exchange[]): string[] {
  return rests.flatMap(({ from, until, why }) =>
    exchanges
      .filter(({ startedAt }) => startedAt > from && startedAt < until)
      .map(({ webhookId, startedAt }) => `${webhookId} at ${startedAt}: ${why}, from ${from} to ${until}`),
  );
}
