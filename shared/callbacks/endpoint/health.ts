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

/** What a successful attempt did to the endpoint. */
export type AfterSuccess = { circuit?: 'closed' };

/** What a failed attempt did to the endpoint. */
export type AfterFailure = {
  /** The failure opened the circuit, or opened it again. */
  circuit?: 'opened';
  openUntilMs?: number;
  /** Why the endpoint is disabled now. */
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
  /** One that was disabled may be enabled by now: what is skipped is sent again by hand only. */
  const enabledOrNew = async (partnerId: string): Promise<EndpointView> => {
    const view = await viewOf(partnerId);
    if (view.endpoint?.status !== 'disabled') return view;
    views.delete(partnerId);
    return viewOf(partnerId, { consistent: true });
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
        : { refused: 'not enabled there' as const },
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
  const awaited = <Stepped>(partnerId: string, stepping: Promise<Stepped>): Promise<Stepped> => {
    const all = Promise.allSettled([steps.get(partnerId), stepping]).then(() => {
      if (steps.get(partnerId) === all) steps.delete(partnerId);
    });
    steps.set(partnerId, all);
    return stepping;
  };

  /**
   * What finds the circuit open is deferred until the circuit of the table closes. So it is open there: an opening that is
   * still being written is awaited.
   */
  const viewToAdmit = async (partnerId: string): Promise<EndpointView> => {
    for (;;) {
      const view = await enabledOrNew(partnerId);
      const stepping = steps.get(partnerId);
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
      const successAt = lastSuccessAt.get(partnerId);
      const failure = {
        atMs: now,
        timedOut: result.error === 'timeout',
        pauseMs: pauseMs(result, now),
        probe,
        ...(successAt === undefined ? {} : { lastSuccessAt: successAt }),
      };
      const next = (circuit: Circuit) => afterFailure(circuit, failure, retrySpeed);
      const rememberAndStep = async () => {
        // At once, for attempts that begin while the step is written.
        await remember(partnerId, next((await viewOf(partnerId)).circuit));
        return step(partnerId, next);
      };
      const { before, after } = await awaited(partnerId, rememberAndStep());
      if (becameOpenTooLong(before, after, retrySpeed)) {
        await endpoints.notify(partnerId, { at: now, what: 'no callback was delivered for over 15 minutes' });
      }
      const reason = disabledFor(result, hasFailedTooLong(after, now));
      const opened = after.openings > before.openings ? { circuit: 'opened' as const } : {};
      if (reason && (await disable(endpoint, reason, now))) {
        views.delete(partnerId);
        return { ...opened, disabled: reason };
      }
      return after.openUntil === undefined ? opened : { ...opened, openUntilMs: after.openUntil };
    },
  };
}

function disabledFor({ httpStatus }: FailedAttempt, failedTooLong: boolean): string | undefined {
  if (httpStatus === 410) return 'answered 410';
  return failedTooLong ? 'failing for 5 days' : undefined;
}

export type EndpointHealth = ReturnType<typeof endpointHealth>;
