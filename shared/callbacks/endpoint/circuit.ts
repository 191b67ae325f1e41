import * as z from 'zod/mini';
import type { NewEvent } from '../../events/event.ts';
import { days, hours, minutes } from '../../platform/runtime/clock.ts';
import { viewsAgreeAfterMs } from './view-age.ts';

/** The circuit breaker of an endpoint. Steps are pure, and return the same object when nothing changes. */
export const Circuit = z.object({
  /** Failed attempts since the last success, except those that were under way when the circuit opened. */
  failures: z.number(),
  /** How often the circuit opened since the last success. The cooldown doubles each time. */
  openings: z.number(),
  failingSince: z.exactOptional(z.number()),
  lastFailureAt: z.exactOptional(z.number()),
  /** When the circuit first opened since the last success, and when it last opened. */
  firstOpenedAt: z.exactOptional(z.number()),
  openedAt: z.exactOptional(z.number()),
  /** The end of the cooldown: no attempt is made before, and one probe after it. Absent while the circuit is closed. */
  openUntil: z.exactOptional(z.number()),
  /** The endpoint asked us by Retry-After to make no attempt before this time, which is never after `openUntil`. */
  pausedUntil: z.exactOptional(z.number()),
  /** A probe is under way. If its worker died, the next probe may start after this time. */
  probeUntil: z.exactOptional(z.number()),
  /** Since when deferred callbacks are sent, until none are left. Removed if the circuit opens again. */
  drainingSince: z.exactOptional(z.number()),
});
export type Circuit = z.infer<typeof Circuit>;

export type FailedCall = {
  atMs: number;
  /** The response asks us to call the endpoint again only after this time; 0 if it does not ask. */
  pauseMs: number;
  /** Whether the attempt was the one probe of a half-open circuit. */
  probe: boolean;
  /** The newest success that the reporting instance has seen, in the first failure that it reports after that. */
  lastSuccessAt?: number | undefined;
  /** An earlier attempt failed then, and the instance has held that back. */
  heldAt?: number | undefined;
};

/** `startedAt` is when the attempt began. `probe` has the same meaning as in a failure. */
export type SuccessfulCall = { startedAt: number; atMs: number; probe: boolean };

export type CircuitState =
  | { kind: 'closed' }
  | { kind: 'open'; untilMs: number; reason: 'failures' | 'retry-after' }
  | { kind: 'half-open' };

const circuitRules = {
  opensAtFailures: 5,
  successIsRecentMs: 1_000,
  firstCooldownMs: 30_000,
  longestCooldownMs: minutes(15),
  /** The longest that a function making a probe can run. */
  probeMs: minutes(1),
  /** A pause is written only if it is longer by this much, because parallel responses that ask for it differ by less. */
  prolongedByMs: 1_000,
  /** If the circuit is open for longer than this, the partner is told. */
  openTooLongMs: minutes(15),
  disabledAfterMs: days(5),
  disabledAfterFailures: 10,
  disabledAfterFailingMs: hours(24),
} as const;

/** A drain that finds no rows ends after a minute, so those that defer for longer keep it going. */
export const drainKeptForMs = 20_000;

export const healthy: Circuit = { failures: 0, openings: 0 };

export function isFailing({ failingSince }: Circuit): boolean {
  return failingSince !== undefined;
}

/** Whether the circuit is open or half-open. */
export function hasOpened({ openUntil }: Circuit): boolean {
  return openUntil !== undefined;
}

/** Whether an attempt may be made now. */
export function circuitState(
  { openUntil, pausedUntil = 0, probeUntil = 0 }: Circuit,
  nowMs: number,
): CircuitState {
  if (openUntil === undefined) return { kind: 'closed' };
  const untilMs = Math.max(openUntil, probeUntil);
  if (nowMs >= untilMs) return { kind: 'half-open' };
  return { kind: 'open', untilMs, reason: nowMs < pausedUntil ? 'retry-after' : 'failures' };
}

/** Gives the caller the one probe, if the circuit is half-open. */
export function withProbe(circuit: Circuit, nowMs: number): Circuit {
  return circuitState(circuit, nowMs).kind === 'half-open'
    ? { ...circuit, probeUntil: nowMs + circuitRules.probeMs }
    : circuit;
}

/** `retrySpeed` divides cooldowns and pauses, like the waits between attempts. */
export function afterFailure(circuit: Circuit, failure: FailedCall, retrySpeed = 1): Circuit {
  const { atMs, pauseMs, probe } = failure;
  const endOf = (waitMs: number) => atMs + Math.round(waitMs / retrySpeed);
  const pausedUntil = pauseMs > 0 ? endOf(pauseMs) : undefined;
  if (hasOpened(circuit) && !probe)
    return pausedUntil === undefined ? circuit : prolonged(circuit, pausedUntil);
  const counted = counting(circuit, failure);
  const breaks = hasOpened(circuit) || counted.failures >= circuitRules.opensAtFailures;
  const waitMs = Math.max(breaks ? cooldownMs(counted.openings + 1) : 0, pauseMs);
  return waitMs > 0 ? opened(counted, { atMs, openUntil: endOf(waitMs), pausedUntil }) : counted;
}

/**
 * A success closes the circuit if its attempt was the probe, or began after the circuit opened. An attempt that was
 * already under way says nothing about the endpoint since then. No success ends a pause that the endpoint asked for.
 */
export function afterSuccess(circuit: Circuit, { startedAt, atMs, probe }: SuccessfulCall): Circuit {
  if (!isFailing(circuit)) return circuit;
  const { openedAt, pausedUntil = 0, probeUntil: _over, ...rest } = circuit;
  if (openedAt === undefined) return recovered(circuit);
  if (atMs < pausedUntil) return probe ? { ...rest, openedAt, pausedUntil } : circuit;
  return probe || startedAt > openedAt ? closed(atMs) : circuit;
}

/** Closes the circuit in any state. The callbacks that it deferred are then sent. */
export function closed(atMs: number): Circuit {
  return { ...healthy, drainingSince: atMs };
}

/**
 * Keeps a drain going for callbacks that are deferred in the next seconds. The circuit was closed before, so
 * the drain need not wait until all instances know that it is. While it is open they wait until it closes.
 */
export function withDrain(circuit: Circuit, nowMs: number): Circuit {
  const drainingSince = nowMs - viewsAgreeAfterMs;
  const isKept = drainingSince - (circuit.drainingSince ?? -Infinity) < drainKeptForMs;
  return hasOpened(circuit) || isKept ? circuit : { ...circuit, drainingSince };
}

/** Ends the drain that goes on since then: all deferred callbacks have been sent. */
export function drained(circuit: Circuit, since: number): Circuit {
  if (circuit.drainingSince !== since) return circuit;
  const { drainingSince: _over, ...rest } = circuit;
  return rest;
}

/**
 * The event of a step, if the partner is told of it: that its endpoint has been failing for a while, that it will be
 * disabled in a day, or that it has recovered from what it was told of.
 */
export function eventOfStep(
  before: Circuit,
  after: Circuit,
  { atMs, retrySpeed = 1 }: { atMs: number; retrySpeed?: number },
): NewEvent | undefined {
  const told = (kind: 'endpoint.failing' | 'endpoint.recovered', what: string): NewEvent => ({
    kind,
    atMs,
    data: { what },
  });
  const openTooLongMs = circuitRules.openTooLongMs / retrySpeed;
  const isTooLong = ({ firstOpenedAt = Infinity, lastFailureAt = 0 }: Circuit) =>
    lastFailureAt - firstOpenedAt > openTooLongMs;
  const isNearlyDisabled = (circuit: Circuit) =>
    isTooLong(circuit) &&
    (circuit.lastFailureAt ?? 0) - (circuit.failingSince ?? Infinity) >=
      circuitRules.disabledAfterMs - days(1);
  if (isTooLong(before) && !isFailing(after))
    return told('endpoint.recovered', 'what waited is delivered again');
  if (isNearlyDisabled(after) && !isNearlyDisabled(before))
    return told('endpoint.failing', 'nothing was delivered for 4 days: a day later it is disabled');
  if (isTooLong(after) && !isTooLong(before))
    return told('endpoint.failing', 'nothing was delivered for over 15 minutes');
  return undefined;
}

/**
 * Rules 23 and 35: five days without a success in which ten attempts failed, the first and the last a day apart at
 * least. Few failures, or a short outage, say little about an endpoint that is rarely called.
 */
export function hasFailedTooLong(circuit: Circuit, nowMs: number): boolean {
  const { failingSince = Infinity, lastFailureAt = 0, failures } = circuit;
  return (
    nowMs - failingSince >= circuitRules.disabledAfterMs &&
    failures >= circuitRules.disabledAfterFailures &&
    lastFailureAt - failingSince >= circuitRules.disabledAfterFailingMs
  );
}

/** Tells whether the last success is so recent that it ends any run of failures. */
export function isRecent(lastSuccessAt: number, nowMs: number): boolean {
  return nowMs - lastSuccessAt < circuitRules.successIsRecentMs;
}

/**
 * Successes of a healthy endpoint are not stored, so the first failure after one carries it, in its instance. It ends the
 * run of failures if it came since they began, or in the last second: of one callback in ten failing at a thousand a
 * second, many instances report five sooner than each sees a success.
 */
function counting(circuit: Circuit, { atMs, lastSuccessAt = -Infinity, heldAt }: FailedCall): Circuit {
  const endsRun = lastSuccessAt > (circuit.failingSince ?? Infinity) || isRecent(lastSuccessAt, atMs);
  const since = endsRun && !hasOpened(circuit) ? recovered(circuit) : circuit;
  return {
    ...since,
    failures: since.failures + (heldAt === undefined ? 1 : 2),
    failingSince: since.failingSince ?? heldAt ?? atMs,
    lastFailureAt: atMs,
  };
}

function recovered({ drainingSince }: Circuit): Circuit {
  return drainingSince === undefined ? healthy : { ...healthy, drainingSince };
}

function opened(
  { probeUntil: _over, pausedUntil: _before, drainingSince: _then, ...circuit }: Circuit,
  { atMs, openUntil, pausedUntil }: { atMs: number; openUntil: number; pausedUntil: number | undefined },
): Circuit {
  return {
    ...circuit,
    firstOpenedAt: circuit.firstOpenedAt ?? atMs,
    openedAt: atMs,
    openings: circuit.openings + 1,
    openUntil,
    ...(pausedUntil === undefined ? {} : { pausedUntil }),
  };
}

/** Applies the pause of a response whose attempt was under way when the circuit opened. A pause is never shortened. */
function prolonged(circuit: Circuit, until: number): Circuit {
  const { openUntil = 0, pausedUntil = 0 } = circuit;
  if (until - pausedUntil < circuitRules.prolongedByMs) return circuit;
  return { ...circuit, openUntil: Math.max(openUntil, until), pausedUntil: until };
}

function cooldownMs(openings: number): number {
  return Math.min(circuitRules.firstCooldownMs * 2 ** (openings - 1), circuitRules.longestCooldownMs);
}
