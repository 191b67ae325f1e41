import { days, minutes } from '../runtime/clock.ts';

/**
 * What is known of an endpoint's health. Healthy is the absence of all of it. Pure: every step takes the time
 * and returns the next circuit (the same object when nothing changes); the store writes it under a condition.
 */
export type Circuit = {
  /** The first failure since the last success. */
  failingSince?: number;
  lastFailureAt?: number;
  /** Weight of the failures in a row. */
  weight: number;
  /** How often it opened since the last success: the cooldown doubles each time. */
  openings: number;
  /** No attempt before then; after it one probe. Absent: closed. */
  openUntil?: number;
  /** A probe is under way. One that never reports (its worker died) blocks the next no longer than this. */
  probeUntil?: number;
};

export type Failure = {
  atMs: number;
  timedOut: boolean;
  /** It was the one probe of a half-open circuit. */
  probe: boolean;
  /** The newest success that the reporting instance has seen. */
  lastSuccessAt?: number;
};

export type Gate = { kind: 'closed' } | { kind: 'open'; untilMs: number } | { kind: 'half-open' };

export const circuitRules = {
  opensAtWeight: 5,
  /** A timeout costs a worker 15 s where a refusal costs milliseconds: three of them suffice. */
  timeoutWeight: 2,
  /** Failures further apart do not count as one row of them. */
  windowMs: minutes(5),
  firstCooldownMs: 30_000,
  longestCooldownMs: minutes(15),
  /** No function that could be holding a probe lives longer. */
  probeLeaseMs: minutes(1),
  disabledAfterMs: days(5),
} as const;

export const healthy: Circuit = { weight: 0, openings: 0 };

export function isHealthy({ failingSince }: Circuit): boolean {
  return failingSince === undefined;
}

export function isOpen({ openUntil }: Circuit): boolean {
  return openUntil !== undefined;
}

/** Whether an attempt may be made now. */
export function gateOf({ openUntil, probeUntil = 0 }: Circuit, nowMs: number): Gate {
  if (openUntil === undefined) return { kind: 'closed' };
  const untilMs = Math.max(openUntil, probeUntil);
  return nowMs < untilMs ? { kind: 'open', untilMs } : { kind: 'half-open' };
}

/**
 * When somebody who was not let through should ask again. A probe that is under way ends long before its lease, so
 * `speed` divides that wait and not the lease: else hurried retries would all wait for a probe that has failed.
 */
export function askAgainAt({ openUntil = 0, probeUntil = 0 }: Circuit, nowMs: number, speed = 1): number {
  return Math.max(openUntil, nowMs + Math.round(Math.max(0, probeUntil - nowMs) / speed));
}

/** Takes the one probe, if the circuit is half-open. */
export function withProbe(circuit: Circuit, nowMs: number): Circuit {
  return gateOf(circuit, nowMs).kind === 'half-open'
    ? { ...circuit, probeUntil: nowMs + circuitRules.probeLeaseMs }
    : circuit;
}

/** `speed` divides the cooldowns, as it does the waits between attempts. */
export function afterFailure(circuit: Circuit, failure: Failure, speed = 1): Circuit {
  if (isOpen(circuit)) return failure.probe ? opened(circuit, failure.atMs, speed) : circuit;
  const since = respondedSince(circuit, failure) ? healthy : circuit;
  const inRow = failure.atMs - (since.lastFailureAt ?? failure.atMs) <= circuitRules.windowMs;
  const weight = (inRow ? since.weight : 0) + (failure.timedOut ? circuitRules.timeoutWeight : 1);
  const failing: Circuit = {
    ...since,
    failingSince: since.failingSince ?? failure.atMs,
    lastFailureAt: failure.atMs,
    weight,
  };
  return weight >= circuitRules.opensAtWeight ? opened(failing, failure.atMs, speed) : failing;
}

/** Rule 23: an endpoint that has failed without a success for five days. */
export function isGivenUp({ failingSince }: Circuit, nowMs: number): boolean {
  return failingSince !== undefined && nowMs - failingSince >= circuitRules.disabledAfterMs;
}

/**
 * Successes of a healthy endpoint are not written down, so a failure brings the reporter's newest one along:
 * one callback in ten failing at a thousand a second is no row of failures.
 */
function respondedSince({ failingSince }: Circuit, { lastSuccessAt }: Failure): boolean {
  return failingSince !== undefined && lastSuccessAt !== undefined && lastSuccessAt > failingSince;
}

function opened({ probeUntil: _over, ...circuit }: Circuit, atMs: number, speed: number): Circuit {
  return {
    ...circuit,
    lastFailureAt: atMs,
    openings: circuit.openings + 1,
    openUntil: atMs + Math.round(cooldownMs(circuit.openings + 1) / speed),
  };
}

function cooldownMs(openings: number): number {
  return Math.min(circuitRules.firstCooldownMs * 2 ** (openings - 1), circuitRules.longestCooldownMs);
}
