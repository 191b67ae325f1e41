import type { FailedAttempt } from '../../platform/egress/attempt-result.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import { pauseMs } from '../retry-after.ts';
import {
  afterFailure,
  afterSuccess,
  becameOpenTooLong,
  type Circuit,
  circuitState,
  hasFailedTooLong,
  isFailing,
  isOpen,
  type Success,
  withProbe,
} from './circuit.ts';
import { disabledBecause, type Endpoint } from './endpoint.ts';
import type { EndpointStore, EndpointView } from './store.ts';

/** How long an instance trusts what it has read of an endpoint. */
export const viewKeptMs = 5_000;
const maxViews = 1_000;

export type Admission =
  | { kind: 'admitted'; endpoint: Endpoint; probe: boolean }
  | { kind: 'circuit open' }
  | { kind: 'out of service'; reason: 'no endpoint' | 'disabled' };

export type AfterSuccess = { circuit?: 'closed' };

export type AfterFailure = {
  /** The failure opened the circuit, or opened it again. */
  circuit?: 'opened';
  openUntilMs?: number | undefined;
  disabled?: string;
};

type Deps = { endpoints: EndpointStore; clock: Clock; retrySpeed: number };
type Known = { view: Promise<EndpointView>; readAt: number };

/**
 * Decides whether a partner's endpoint may be called now, and records the result of each attempt. Views are kept in
 * memory for a few seconds: a healthy endpoint costs no write, and one read per instance and view.
 */
export function endpointHealth({ endpoints, clock, retrySpeed }: Deps) {
  const views = new Map<string, Known>();
  const lastSuccessAt = new Map<string, number>();
  /** The failures of a partner that are being written to its circuit, all together. */
  const steps = new Map<string, Promise<unknown>>();

  const viewOf = (partnerId: string, read = {}): Promise<EndpointView> => {
    const known = views.get(partnerId);
    if (known && clock.now() - known.readAt < viewKeptMs) return known.view;
    if (views.size >= maxViews) views.clear();
    if (lastSuccessAt.size >= maxViews) lastSuccessAt.clear();
    const view = endpoints.view(partnerId, read);
    views.set(partnerId, { view, readAt: clock.now() });
    // A failed read is not remembered; its error goes to whoever awaits the view.
    view.catch(() => views.delete(partnerId));
    return view;
  };
  const remember = async (partnerId: string, circuit: Circuit): Promise<void> => {
    const known = views.get(partnerId);
    if (known) views.set(partnerId, { ...known, view: Promise.resolve({ ...(await known.view), circuit }) });
  };

  /** A late failure of an old address must not disable a new one. */
  const disable = async ({ partnerId, url }: Endpoint, reason: string, atMs: number): Promise<boolean> => {
    const disabled = await endpoints.change(partnerId, (seen) =>
      seen?.status === 'enabled' && seen.url === url
        ? disabledBecause(seen, { reason, atMs })
        : { refused: 'not enabled there' },
    );
    return 'endpoint' in disabled;
  };

  /** Without an answer of the table, what was remembered meanwhile may be wrong. */
  const step = async (partnerId: string, next: (circuit: Circuit) => Circuit) => {
    try {
      const stepped = await endpoints.stepCircuit(partnerId, next, clock.now());
      await remember(partnerId, stepped.after);
      return stepped;
    } catch (error) {
      views.delete(partnerId);
      throw error;
    }
  };
  /** Attempts that begin while the failure is written see what it will do. */
  const stepFailed = (partnerId: string, next: (circuit: Circuit) => Circuit) => {
    const stepping = viewOf(partnerId)
      .then(({ circuit }) => remember(partnerId, next(circuit)))
      .then(() => step(partnerId, next));
    const all = Promise.allSettled([steps.get(partnerId), stepping]).then(() => {
      if (steps.get(partnerId) === all) steps.delete(partnerId);
    });
    steps.set(partnerId, all);
    return stepping;
  };

  const viewToAdmit = async (partnerId: string): Promise<EndpointView> => {
    for (;;) {
      let view = await viewOf(partnerId);
      // It may be enabled by now: what is skipped is sent again by hand only.
      if (view.endpoint?.status === 'disabled') {
        views.delete(partnerId);
        view = await viewOf(partnerId, { consistent: true });
      }
      const stepping = steps.get(partnerId);
      // What is deferred needs the circuit open in the table: an opening that is still being written is awaited.
      if (!isOpen(view.circuit) || !stepping) return view;
      await stepping;
    }
  };

  return {
    /** Whether to attempt now. Of all callers that find the circuit half-open, in any instance, one is admitted. */
    admit: async (partnerId: string): Promise<Admission> => {
      const { endpoint, circuit } = await viewToAdmit(partnerId);
      if (!endpoint) return { kind: 'out of service', reason: 'no endpoint' };
      if (endpoint.status === 'disabled') return { kind: 'out of service', reason: 'disabled' };
      const state = circuitState(circuit, clock.now());
      if (state.kind === 'closed') return { kind: 'admitted', endpoint, probe: false };
      if (state.kind === 'open') return { kind: 'circuit open' };
      const now = clock.now();
      const { before, after } = await step(partnerId, (c) => withProbe(c, now));
      if (after !== before) return { kind: 'admitted', endpoint, probe: true };
      // Not open any more: another instance's probe has just succeeded.
      if (circuitState(after, now).kind !== 'open') return { kind: 'admitted', endpoint, probe: false };
      return { kind: 'circuit open' };
    },

    /** Whether callbacks are attempted at once: the endpoint is enabled, and its circuit closed. */
    isInService: async (partnerId: string): Promise<boolean> => {
      const { endpoint, circuit } = await viewOf(partnerId);
      return endpoint?.status === 'enabled' && !isOpen(circuit);
    },

    succeeded: async (
      partnerId: string,
      { startedAt, probe }: Pick<Success, 'startedAt' | 'probe'>,
    ): Promise<AfterSuccess> => {
      const atMs = clock.now();
      lastSuccessAt.set(partnerId, atMs);
      if (!isFailing((await viewOf(partnerId)).circuit)) return {};
      const { before, after } = await step(partnerId, (c) => afterSuccess(c, { startedAt, atMs, probe }));
      return isOpen(before) && !isOpen(after) ? { circuit: 'closed' } : {};
    },

    failed: async (
      { endpoint, probe }: { endpoint: Endpoint; probe: boolean },
      result: FailedAttempt,
    ): Promise<AfterFailure> => {
      const { partnerId } = endpoint;
      const now = clock.now();
      const failure = {
        atMs: now,
        timedOut: result.error === 'timeout',
        pauseMs: pauseMs(result, now),
        probe,
        lastSuccessAt: lastSuccessAt.get(partnerId),
      };
      const next = (circuit: Circuit) => afterFailure(circuit, failure, retrySpeed);
      const { before, after } = await stepFailed(partnerId, next);
      if (becameOpenTooLong(before, after, retrySpeed)) {
        await endpoints.notify(partnerId, { at: now, what: 'no callback was delivered for over 15 minutes' });
      }
      const opened = after.openings > before.openings ? { circuit: 'opened' as const } : {};
      const isTooLong = hasFailedTooLong(after, now);
      const reason = result.httpStatus === 410 ? 'answered 410' : isTooLong && 'failing for 5 days';
      if (reason && (await disable(endpoint, reason, now))) {
        views.delete(partnerId);
        return { ...opened, disabled: reason };
      }
      return { ...opened, openUntilMs: after.openUntil };
    },
  };
}
