/** The circuit of an endpoint as the decisions describe it, in words of its own: closed, or open until a time. */
export type Reference = {
  failures: number;
  since?: number;
  lastAt?: number;
  openings: number;
  openUntil?: number;
  probeUntil?: number;
};

export const untouched: Reference = { failures: 0, openings: 0 };

export type CircuitState = 'closed' | 'open' | 'half-open';

export function circuitAt({ openUntil, probeUntil = 0 }: Reference, nowMs: number): CircuitState {
  if (openUntil === undefined) return 'closed';
  return nowMs < openUntil || nowMs < probeUntil ? 'open' : 'half-open';
}

/** Half a minute, then twice as long each time, a quarter of an hour at most. */
const cooldownsMs = [30_000, 60_000, 120_000, 240_000, 480_000];

/** After a failed attempt of an admitted callback; a timeout counts twice, five open it. */
export function afterFailed(from: Reference, nowMs: number, timedOut: boolean): Reference {
  const fresh = from.lastAt !== undefined && nowMs - from.lastAt > 300_000;
  const isProbe = from.openUntil !== undefined;
  const failures = isProbe ? from.failures : (fresh ? 0 : from.failures) + (timedOut ? 2 : 1);
  const next = { ...from, failures, since: from.since ?? nowMs, lastAt: nowMs };
  if (!isProbe && failures < 5) return next;
  const { probeUntil: _over, ...opened } = next;
  const openUntil = nowMs + (cooldownsMs[from.openings] ?? 900_000);
  return { ...opened, openings: from.openings + 1, openUntil };
}

/** Five days without a success. */
export function hasFailedTooLong({ since }: Reference, nowMs: number): boolean {
  return since !== undefined && nowMs - since >= 432_000_000;
}

/** What the table has of it. */
export function referenceOf(row: Record<string, unknown> | undefined): Reference {
  if (!row) return untouched;
  const named = {
    failures: row['weight'],
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
