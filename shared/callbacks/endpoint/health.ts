import type { FailedAttempt } from '../../platform/egress/attempt-result.ts';
import { BoundedMap } from '../../platform/runtime/bounded-map.ts';
import { type Clock, minutes } from '../../platform/runtime/clock.ts';
import { pauseMs } from '../schedule.ts';
import {
  afterFailure,
  afterSuccess,
  type Circuit,
  circuitState,
  eventOfStep,
  hasFailedTooLong,
  hasOpened,
  isFailing,
  isRecent,
  type SuccessfulCall,
  withDrain,
  withProbe,
} from './circuit.ts';
import { disabledBecause, type Endpoint, isPosted, type PostedEndpoint } from './endpoint.ts';
import type { EndpointStore } from './endpoint-store.ts';
import { lineUntil } from './pace-store.ts';
import { viewsAgreeAfterMs } from './view-age.ts';
import type { EndpointViews } from './views.ts';

type Admitted = { kind: 'admitted'; endpoint: PostedEndpoint; probe: boolean };
/** An attempt that failed: the endpoint as it was then, and when it began, ms. */
type Failed = Omit<Admitted, 'kind'> & FailedAttempt & { startedAt: number };

export type Admission =
  | Admitted
  /** The partner reads its callbacks from the feed. */
  | { kind: 'feed' }
  | { kind: 'circuit open' }
  | { kind: 'out of service'; reason: 'no endpoint' | 'disabled' };

export type EndpointAfterSuccess = { circuit?: 'closed' };

export type EndpointAfterFailure = {
  /** The failure opened the circuit, or opened it again. */
  circuit?: 'opened';
  openUntilMs?: number | undefined;
  /** The line of messages that wait for the pace of the endpoint reaches up to this time. */
  lineUntilMs?: number;
  disabled?: string;
};

/** An instance had its last success of an endpoint at `atMs`, and holds back a failure since then. */
type LastSuccess = { atMs: number; heldFailure?: { atMs: number; url: string } };

type Deps = { endpoints: EndpointStore; views: EndpointViews; clock: Clock; retrySpeed: number };

/**
 * Decides whether a partner's endpoint may be called now, and records the result of each attempt. A healthy endpoint
 * costs no write.
 */
export function endpointHealth({ endpoints, views, clock, retrySpeed }: Deps) {
  const lastSuccesses = new BoundedMap<string, LastSuccess>();

  /**
   * Writes one step of the circuit, with the event for the partner, if there is one. If the write fails, the remembered
   * view may be wrong and is dropped.
   */
  const step = async (endpointId: string, atMs: number, next: (circuit: Circuit) => Circuit) => {
    const eventOf = (before: Circuit, after: Circuit) => eventOfStep(before, after, { atMs, retrySpeed });
    try {
      const stepped = await endpoints.stepCircuit(endpointId, next, { nowMs: clock.now(), eventOf });
      await views.remember(endpointId, { circuit: stepped.after });
      return stepped;
    } catch (error) {
      views.forget(endpointId);
      throw error;
    }
  };

  /** Disables the endpoint unless the failure says nothing about it as it is now. */
  const disable = async (failed: Failed, reason: string, atMs: number): Promise<boolean> => {
    const { partnerId: endpointId } = failed.endpoint;
    const disabled = await endpoints.change(endpointId, (seen) =>
      seen?.status === 'enabled' && isAbout(failed, seen)
        ? disabledBecause(seen, { reason, atMs })
        : 'not enabled there',
    );
    if (typeof disabled === 'string') return false;
    views.forget(endpointId);
    return true;
  };

  const lineOf = async ({ partnerId, maxPerSecond }: PostedEndpoint) =>
    lineUntil((await views.of(partnerId)).pace, maxPerSecond);

  return {
    /** Whether an attempt may be made now. If the circuit is half-open, one caller in all instances is admitted. */
    admit: async (endpointId: string): Promise<Admission> => {
      const seen = await views.of(endpointId);
      // It may be set or enabled by now, so it is read again: a skipped callback is only sent again by a manual replay.
      const isEnabled = seen.endpoint?.status === 'enabled';
      const { endpoint, circuit } = isEnabled ? seen : await views.of(endpointId, { consistent: true });
      if (!endpoint) return { kind: 'out of service', reason: 'no endpoint' };
      if (endpoint.status === 'disabled') return { kind: 'out of service', reason: 'disabled' };
      if (!isPosted(endpoint)) return { kind: 'feed' };
      const now = clock.now();
      const { kind } = circuitState(circuit, now);
      if (kind === 'closed') return { kind: 'admitted', endpoint, probe: false };
      if (kind === 'open') return { kind: 'circuit open' };
      const { before, after } = await step(endpointId, now, (seen) => withProbe(seen, now));
      if (after !== before) return { kind: 'admitted', endpoint, probe: true };
      // The circuit may be closed by now, because the probe of another instance has just succeeded.
      if (circuitState(after, now).kind === 'open') return { kind: 'circuit open' };
      return { kind: 'admitted', endpoint, probe: false };
    },

    /** Whether callbacks are written to the partner's feed. A disabled endpoint keeps them, whatever its mode. */
    isFeed: async (endpointId: string): Promise<boolean> => {
      const { endpoint } = await views.of(endpointId);
      return endpoint?.status === 'enabled' && !isPosted(endpoint);
    },

    /** True if the endpoint takes more than probes: it is enabled, and its circuit closed. */
    takesAttempts: async (endpointId: string): Promise<boolean> => {
      const { endpoint, circuit } = await views.of(endpointId);
      return endpoint?.status === 'enabled' && !hasOpened(circuit);
    },

    /** Called before callbacks are deferred whose endpoint is healthy. */
    keepDraining: async (endpointId: string): Promise<void> => {
      const now = clock.now();
      const { circuit } = await views.of(endpointId);
      if (withDrain(circuit, now) !== circuit) await step(endpointId, now, (seen) => withDrain(seen, now));
    },

    attemptSucceeded: async (
      endpointId: string,
      attempt: Omit<SuccessfulCall, 'atMs'>,
    ): Promise<EndpointAfterSuccess> => {
      const atMs = clock.now();
      lastSuccesses.set(endpointId, { atMs });
      if (!isFailing((await views.of(endpointId)).circuit)) return {};
      const next = (circuit: Circuit) => afterSuccess(circuit, { ...attempt, atMs });
      const { before, after } = await step(endpointId, atMs, next);
      return hasOpened(before) && !hasOpened(after) ? { circuit: 'closed' } : {};
    },

    attemptFailed: async (failed: Failed): Promise<EndpointAfterFailure> => {
      const { endpoint, probe, httpStatus } = failed;
      const { partnerId: endpointId } = endpoint;
      const atMs = clock.now();
      const pause = pauseMs(failed, atMs);
      const recent = lastSuccesses.get(endpointId);
      const isGone = httpStatus === 410;
      const mayWait = !probe && pause === 0 && !isGone;
      // Most single failures are followed by a success. Each would be a write of the row that all instances share, and
      // callbacks of other partners would wait for it.
      if (mayWait && recent && !recent.heldFailure && isRecent(recent.atMs, atMs)) {
        recent.heldFailure = { atMs, url: endpoint.url };
        return { lineUntilMs: await lineOf(endpoint) };
      }
      // Beside the remembered view: other attempts would wait for this read, and miss their slots.
      const { endpoint: now } = await endpoints.view(endpointId, { consistent: true });
      if (!isAbout(failed, now)) {
        views.forget(endpointId);
        return {};
      }
      const last = lastSuccesses.get(endpointId);
      // Carried once: it says nothing about the failures after this one.
      lastSuccesses.delete(endpointId);
      const { heldFailure: held } = last ?? {};
      // Another instance may have had a success since an older one.
      const isInRow = held?.url === endpoint.url && atMs - held.atMs < viewsAgreeAfterMs;
      const heldAt = isInRow ? held.atMs : undefined;
      const failure = { atMs, pauseMs: pause, probe, lastSuccessAt: last?.atMs, heldAt };
      const next = (circuit: Circuit) => afterFailure(circuit, failure, retrySpeed);
      const { before, after } = await step(endpointId, atMs, next);
      const opened = after.openings > before.openings ? { circuit: 'opened' as const } : {};
      const tooLong = hasFailedTooLong(after, atMs) ? 'failing for 5 days' : undefined;
      const reason = isGone ? 'answered 410' : tooLong;
      // A millisecond later, so that the event comes after that of the step.
      if (reason && (await disable(failed, reason, atMs + 1))) return { ...opened, disabled: reason };
      return { ...opened, openUntilMs: after.openUntil, lineUntilMs: await lineOf(endpoint) };
    },
  };
}

/** Whether a failure says something about the endpoint as it is now: at the same address, and not enabled again since. */
function isAbout({ endpoint: { url }, startedAt }: Failed, now: Endpoint | undefined): boolean {
  if (!now || !isPosted(now) || now.url !== url) return false;
  const sinceBeganMs = (now.enabledAt ?? 0) - startedAt;
  // No attempt lasts longer. An operator who enabled it may have a clock that is further ahead.
  return sinceBeganMs <= 0 || sinceBeganMs > minutes(1);
}
