import type { AttemptResult } from '../../../../shared/callbacks/attempt.ts';

/** The circuit of an endpoint as the decisions describe it, in words of its own: closed, or open until a time. */
export type Reference = {
  /** In a row, timeouts twice. */
  failures: number;
  /** All that failed since the last success. */
  attempts: number;
  since?: number;
  lastAt?: number;
  openings: number;
  openUntil?: number;
  probeUntil?: number;
};

export const untouched: Reference = { failures: 0, attempts: 0, openings: 0 };

export type CircuitState = 'closed' | 'open' | 'half-open';

export function circuitAt({ openUntil, probeUntil = 0 }: Reference, nowMs: number): CircuitState {
  if (openUntil === undefined) return 'closed';
  return nowMs < openUntil || nowMs < probeUntil ? 'open' : 'half-open';
}

/** Half a minute, then twice as long each time, a quarter of an hour at most. */
const cooldownsMs = [30_000, 60_000, 120_000, 240_000, 480_000];

type Failed = Extract<AttemptResult, { ok: false }>;

/** What an overloaded partner asks for in whole seconds, a quarter of an hour at most. */
function pauseMsOf({ httpStatus, retryAfter }: Failed): number {
  const isOverloaded =
    httpStatus === 429 || (httpStatus !== undefined && httpStatus >= 502 && httpStatus <= 504);
  return isOverloaded && retryAfter !== undefined ? Math.min(Number(retryAfter), 900) * 1_000 : 0;
}

/** After a failed attempt of an admitted callback; a timeout counts twice; five open it, or one that asks for it. */
export function afterFailed(from: Reference, nowMs: number, result: Failed): Reference {
  const timedOut = result.error === 'timeout';
  const pauseMs = pauseMsOf(result);
  const fresh = from.lastAt !== undefined && nowMs - from.lastAt > 300_000;
  const isProbe = from.openUntil !== undefined;
  const failures = isProbe ? from.failures : (fresh ? 0 : from.failures) + (timedOut ? 2 : 1);
  const next = {
    ...from,
    failures,
    attempts: from.attempts + 1,
    since: from.since ?? nowMs,
    lastAt: nowMs,
  };
  const breaks = isProbe || failures >= 5;
  if (!breaks && pauseMs === 0) return next;
  const { probeUntil: _over, ...opened } = next;
  const openUntil = nowMs + Math.max(breaks ? (cooldownsMs[from.openings] ?? 900_000) : 0, pauseMs);
  return { ...opened, openings: from.openings + 1, openUntil };
}

/** Five days without a success, and ten attempts that failed. */
export function hasFailedTooLong({ since, attempts }: Reference, nowMs: number): boolean {
  return since !== undefined && nowMs - since >= 432_000_000 && attempts >= 10;
}

/** What the table has of it. */
export function referenceOf(row: Record<string, unknown> | undefined): Reference {
  if (!row) return untouched;
  const named = {
    failures: row['weight'],
    attempts: row['failures'],
    since: row['failingSince'],
    lastAt: row['lastFailureAt'],
    openings: row['openings'],
    openUntil: row['openUntil'],
    probeUntil: row['probeUntil'],
  };
  return Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== undefined),
  ) as unknown as Reference;
}
