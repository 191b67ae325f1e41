import { days, minutes } from '../runtime/clock.ts';

/**
 * The circuit breaker of an endpoint. Pure: every step gets the time and returns the next circuit, the same object
 * when nothing changes; the store writes it under a condition.
 */
export type Circuit = {
  /** The first failure since the last success. */
  failingSince?: number;
  lastFailureAt?: number;
  /** Weight of the consecutive failures. */
  weight: number;
  /** How often it opened since the last success: the cooldown doubles each time. */
  openings: number;
  /** No attempt before then; after it one probe. Absent: closed. */
  openUntil?: number;
  /** A probe is under way. If its worker died, the next probe may start after this time. */
  probeUntil?: number;
};

export type Failure = {
  atMs: number;
  timedOut: boolean;
  /** It was the one probe of a half-open circuit. */
  probe: boolean;
  /** The newest success seen by the instance that reports the failure. */
  lastSuccessAt?: number;
};

export type CircuitState = { kind: 'closed' } | { kind: 'open'; untilMs: number } | { kind: 'half-open' };

export const circuitRules = {
  opensAtWeight: 5,
  /** A timeout costs a worker 15 s, a refusal milliseconds: three timeouts open the circuit. */
  timeoutWeight: 2,
  /** Failures further apart than this are not consecutive. */
  windowMs: minutes(5),
  firstCooldownMs: 30_000,
  longestCooldownMs: minutes(15),
  /** The longest that a function making a probe can run. */
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
export function circuitState({ openUntil, probeUntil = 0 }: Circuit, nowMs: number): CircuitState {
  if (openUntil === undefined) return { kind: 'closed' };
  const untilMs = Math.max(openUntil, probeUntil);
  return nowMs < untilMs ? { kind: 'open', untilMs } : { kind: 'half-open' };
}

/**
 * When a caller that was not admitted should try again. A probe under way ends long before its lease, so `speed`
 * divides that wait and not the lease: otherwise fast retries would all wait for a probe that has failed.
 */
export function tryAgainAt({ openUntil = 0, probeUntil = 0 }: Circuit, nowMs: number, speed = 1): number {
  return Math.max(openUntil, nowMs + Math.round(Math.max(0, probeUntil - nowMs) / speed));
}

/** Claims the one probe, if the circuit is half-open. */
export function withProbe(circuit: Circuit, nowMs: number): Circuit {
  return circuitState(circuit, nowMs).kind === 'half-open'
    ? { ...circuit, probeUntil: nowMs + circuitRules.probeLeaseMs }
    : circuit;
}

/** `speed` divides the cooldowns, like the waits between attempts. */
export function afterFailure(circuit: Circuit, failure: Failure, speed = 1): Circuit {
  if (isOpen(circuit)) return failure.probe ? opened(circuit, failure.atMs, speed) : circuit;
  const since = respondedSince(circuit, failure) ? healthy : circuit;
  const isConsecutive = failure.atMs - (since.lastFailureAt ?? failure.atMs) <= circuitRules.windowMs;
  const weight = (isConsecutive ? since.weight : 0) + (failure.timedOut ? circuitRules.timeoutWeight : 1);
  const failing: Circuit = {
    ...since,
    failingSince: since.failingSince ?? failure.atMs,
    lastFailureAt: failure.atMs,
    weight,
  };
  return weight >= circuitRules.opensAtWeight ? opened(failing, failure.atMs, speed) : failing;
}

/** Rule 23: an endpoint that has failed without a success for five days. */
export function hasFailedTooLong({ failingSince }: Circuit, nowMs: number): boolean {
  return failingSince !== undefined && nowMs - failingSince >= circuitRules.disabledAfterMs;
}

/**
 * Successes of a healthy endpoint are not stored, so a failure carries the newest success its instance has seen:
 * one callback in ten failing at a thousand a second is not a run of failures.
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
