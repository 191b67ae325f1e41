import type { Clock } from '../runtime/clock.ts';
import {
  afterFailure,
  askAgainAt,
  type Circuit,
  gateOf,
  healthy,
  isGivenUp,
  isHealthy,
  isOpen,
  withProbe,
} from './circuit.ts';
import type { Endpoint } from './endpoint.ts';
import type { EndpointStore, EndpointView } from './endpoint-store.ts';

/** How old what we know of an endpoint may be. A drain waits longer than this before it trusts everybody. */
export const viewKeptMs = 5_000;
const maxViews = 1_000;

export type Pass =
  | { kind: 'attempt'; endpoint: Endpoint; probe: boolean }
  | { kind: 'wait'; untilMs: number }
  | { kind: 'skip'; reason: 'no endpoint' | 'disabled' };

export type FailureVerdict = {
  /** The failure opened the circuit, or opened it again. */
  opened: boolean;
  openUntilMs?: number;
  disabled?: string;
};

type Deps = { endpoints: EndpointStore; clock: Clock; retrySpeed: number };
type Known = { view: Promise<EndpointView>; readAt: number };

/**
 * Decides whether a partner's endpoint may be called now, and learns from what came of it. Views are kept in
 * memory for a few seconds: an endpoint in good health costs no write, and one read per instance and view.
 */
export function endpointHealth({ endpoints, clock, retrySpeed }: Deps) {
  const views = new Map<string, Known>();
  const lastSuccessAt = new Map<string, number>();

  const viewOf = (partnerId: string): Promise<EndpointView> => {
    const known = views.get(partnerId);
    if (known && clock.now() - known.readAt < viewKeptMs) return known.view;
    if (views.size >= maxViews) views.clear();
    if (lastSuccessAt.size >= maxViews) lastSuccessAt.clear();
    const view = endpoints.view(partnerId);
    views.set(partnerId, { view, readAt: clock.now() });
    // What could not be read is not remembered; the error itself goes to whoever awaits the view.
    view.catch(() => views.delete(partnerId));
    return view;
  };
  const learn = async (partnerId: string, circuit: Circuit): Promise<void> => {
    const known = views.get(partnerId);
    if (known) views.set(partnerId, { ...known, view: Promise.resolve({ ...(await known.view), circuit }) });
  };

  const waitFor = (circuit: Circuit): Pass => ({
    kind: 'wait',
    untilMs: askAgainAt(circuit, clock.now(), retrySpeed),
  });

  return {
    /** Whether to attempt now. Half-open, exactly one of all callers everywhere gets through. */
    enter: async (partnerId: string): Promise<Pass> => {
      const { endpoint, circuit } = await viewOf(partnerId);
      if (!endpoint) return { kind: 'skip', reason: 'no endpoint' };
      if (endpoint.status === 'disabled') return { kind: 'skip', reason: 'disabled' };
      const gate = gateOf(circuit, clock.now());
      if (gate.kind === 'closed') return { kind: 'attempt', endpoint, probe: false };
      if (gate.kind === 'open') return waitFor(circuit);
      const now = clock.now();
      const { before, after } = await endpoints.stepCircuit(partnerId, (c) => withProbe(c, now), now);
      await learn(partnerId, after);
      if (after !== before) return { kind: 'attempt', endpoint, probe: true };
      const gateNow = gateOf(after, now);
      // Not open any more: another instance's probe has just succeeded.
      if (gateNow.kind !== 'open') return { kind: 'attempt', endpoint, probe: false };
      return waitFor(after);
    },

    /** Whether callbacks are attempted as they come: the endpoint is enabled, and its circuit closed. */
    isInService: async (partnerId: string): Promise<boolean> => {
      const { endpoint, circuit } = await viewOf(partnerId);
      return endpoint?.status === 'enabled' && !isOpen(circuit);
    },

    /** Whether the success of an attempt will close an open circuit. */
    closesCircuit: async (partnerId: string): Promise<boolean> => isOpen((await viewOf(partnerId)).circuit),

    succeeded: async (partnerId: string): Promise<void> => {
      lastSuccessAt.set(partnerId, clock.now());
      if (isHealthy((await viewOf(partnerId)).circuit)) return;
      await endpoints.closeCircuit(partnerId);
      await learn(partnerId, healthy);
    },

    failed: async (
      { endpoint, probe }: { endpoint: Endpoint; probe: boolean },
      { timedOut, gone }: { timedOut: boolean; gone: boolean },
    ): Promise<FailureVerdict> => {
      const { partnerId } = endpoint;
      const now = clock.now();
      const seen = lastSuccessAt.get(partnerId);
      const failure = { atMs: now, timedOut, probe, ...(seen === undefined ? {} : { lastSuccessAt: seen }) };
      const { before, after } = await endpoints.stepCircuit(
        partnerId,
        (c) => afterFailure(c, failure, retrySpeed),
        now,
      );
      await learn(partnerId, after);
      const reason = gone ? 'answered 410' : isGivenUp(after, now) ? 'failing for 5 days' : undefined;
      const opened = after.openings > before.openings;
      if (reason && (await endpoints.disable(endpoint, reason, now))) {
        views.delete(partnerId);
        return { opened, disabled: reason };
      }
      return after.openUntil === undefined ? { opened } : { opened, openUntilMs: after.openUntil };
    },
  };
}

export type EndpointHealth = ReturnType<typeof endpointHealth>;

/** Long enough for every instance to have seen that a circuit closed. */
export const drainDelayMs = 2 * viewKeptMs;
