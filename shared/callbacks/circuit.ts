import * as z from 'zod/mini';
import { days, hours, minutes } from '../runtime/clock.ts';

/**
 * The circuit breaker of an endpoint. Pure: every step gets the time and returns the next circuit, the same object
 * when nothing changes; the store writes it under a condition.
 */
export const Circuit = z.object({
  /** Failed attempts since the last success, but for those that were under way when it opened. */
  failures: z._default(z.number(), 0),
  /** Weight of the consecutive failures. */
  weight: z.number(),
  /** How often it opened since the last success: the cooldown doubles each time. */
  openings: z.number(),
  /** The first failure since the last success. */
  failingSince: z.exactOptional(z.number()),
  lastFailureAt: z.exactOptional(z.number()),
  /** When it opened first since the last success. */
  openedAt: z.exactOptional(z.number()),
  /** No attempt before then; after it one probe. Absent: closed. */
  openUntil: z.exactOptional(z.number()),
  /** A probe is under way. If its worker died, the next probe may start after this time. */
  probeUntil: z.exactOptional(z.number()),
});
export type Circuit = z.infer<typeof Circuit>;

export type Failure = {
  atMs: number;
  timedOut: boolean;
  /** How long the answer asks us to wait before we call the endpoint again; 0 when it does not. */
  pauseMs: number;
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
  /** Answers that ask for the same pause at once end within a second: one of them is written, not all. */
  prolongedByMs: 1_000,
  /** Longer than this, the partner gets a notice. */
  openTooLongMs: minutes(15),
  disabledAfterMs: days(5),
  disabledAfterFailures: 10,
  disabledAfterFailingMs: hours(24),
} as const;

export const healthy: Circuit = { failures: 0, weight: 0, openings: 0 };

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

/** `speed` divides cooldowns and pauses, like the waits between attempts. */
export function afterFailure(circuit: Circuit, failure: Failure, speed = 1): Circuit {
  const { atMs, pauseMs, probe } = failure;
  const endOf = (waitMs: number) => atMs + Math.round(waitMs / speed);
  if (isOpen(circuit) && !probe) return pauseMs > 0 ? prolonged(circuit, endOf(pauseMs)) : circuit;
  const failing = isOpen(circuit) ? circuit : weighed(circuit, failure);
  const breaks = isOpen(circuit) || failing.weight >= circuitRules.opensAtWeight;
  const waitMs = Math.max(breaks ? cooldownMs(failing.openings + 1) : 0, pauseMs);
  const counted = { ...failing, failures: failing.failures + 1, lastFailureAt: atMs };
  return waitMs > 0 ? opened(counted, endOf(waitMs)) : counted;
}

/** Whether this failure is the first that finds the circuit open for too long. */
export function becameOpenTooLong(before: Circuit, after: Circuit, speed = 1): boolean {
  const isTooLong = ({ openedAt, lastFailureAt }: Circuit) =>
    openedAt !== undefined && (lastFailureAt ?? 0) - openedAt > circuitRules.openTooLongMs / speed;
  return isTooLong(after) && !isTooLong(before);
}

/**
 * Rules 23 and 35: five days without a success in which ten attempts failed, the first and the last a day apart at
 * least. Few failures, or a short outage, say little about an endpoint that is rarely called.
 */
export function hasFailedTooLong(circuit: Circuit, nowMs: number): boolean {
  const { failingSince, lastFailureAt, failures } = circuit;
  if (failingSince === undefined || lastFailureAt === undefined) return false;
  return (
    nowMs - failingSince >= circuitRules.disabledAfterMs &&
    failures >= circuitRules.disabledAfterFailures &&
    lastFailureAt - failingSince >= circuitRules.disabledAfterFailingMs
  );
}

function weighed(circuit: Circuit, failure: Failure): Circuit {
  const { atMs, timedOut } = failure;
  const since = respondedSince(circuit, failure) ? healthy : circuit;
  const isConsecutive = atMs - (since.lastFailureAt ?? atMs) <= circuitRules.windowMs;
  const weight = (isConsecutive ? since.weight : 0) + (timedOut ? circuitRules.timeoutWeight : 1);
  return { ...since, failingSince: since.failingSince ?? atMs, weight };
}

/**
 * Successes of a healthy endpoint are not stored, so a failure carries the newest success its instance has seen:
 * one callback in ten failing at a thousand a second is not a run of failures.
 */
function respondedSince({ failingSince }: Circuit, { lastSuccessAt }: Failure): boolean {
  return failingSince !== undefined && lastSuccessAt !== undefined && lastSuccessAt > failingSince;
}

function opened({ probeUntil: _over, ...circuit }: Circuit, openUntil: number): Circuit {
  const openedAt = circuit.openedAt ?? circuit.lastFailureAt;
  return {
    ...circuit,
    ...(openedAt === undefined ? {} : { openedAt }),
    openings: circuit.openings + 1,
    openUntil,
  };
}

/** By an attempt that was under way when it opened: never shortened. */
function prolonged(circuit: Circuit, until: number): Circuit {
  const { openUntil = 0 } = circuit;
  return until - openUntil >= circuitRules.prolongedByMs ? { ...circuit, openUntil: until } : circuit;
}

function cooldownMs(openings: number): number {
  return Math.min(circuitRules.firstCooldownMs * 2 ** (openings - 1), circuitRules.longestCooldownMs);
}
