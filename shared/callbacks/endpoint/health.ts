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
import { lineUntil } from './pace-store.ts';
import type { EndpointStore, EndpointView } from './store.ts';
import { type EndpointViews, maxViews } from './views.ts';

type Admitted = { kind: 'admitted'; endpoint: Endpoint; probe: boolean };

export type Admission =
  | Admitted
  | { kind: 'circuit open' }
  | { kind: 'out of service'; reason: 'no endpoint' | 'disabled' };

export type AfterSuccess = { circuit?: 'closed' };

export type AfterFailure = {
  /** The failure opened the circuit, or opened it again. */
  circuit?: 'opened';
  openUntilMs?: number | undefined;
  /** The line of messages that wait for the pace of the endpoint reaches up to this time. */
  lineUntilMs?: number;
  disabled?: string;
};

type Deps = { endpoints: EndpointStore; views: EndpointViews; clock: Clock; retrySpeed: number };

/**
 * Decides whether a partner's endpoint may be called now, and records the result of each attempt. A healthy endpoint
 * costs no write.
 */
export function endpointHealth({ endpoints, views, clock, retrySpeed }: Deps) {
  const lastSuccessAt = new Map<string, number>();
  /** For each partner, a promise that resolves when its failures under way have been written to the circuit. */
  const steps = new Map<string, Promise<unknown>>();

  /** Disables the endpoint unless its URL has changed: a late failure of the old URL must not disable the new one. */
  const disable = async ({ partnerId, url }: Endpoint, reason: string, atMs: number): Promise<boolean> => {
    const disabled = await endpoints.change(partnerId, (seen) =>
      seen?.status === 'enabled' && seen.url === url
        ? disabledBecause(seen, { reason, atMs })
        : { refused: 'not enabled there' },
    );
    return 'endpoint' in disabled;
  };

  /** Writes one step of the circuit. If the write fails, the remembered view may be wrong and is dropped. */
  const step = async (partnerId: string, next: (circuit: Circuit) => Circuit) => {
    try {
      const stepped = await endpoints.stepCircuit(partnerId, next, clock.now());
      await views.remember(partnerId, { circuit: stepped.after });
      return stepped;
    } catch (error) {
      views.forget(partnerId);
      throw error;
    }
  };
  /** Applies a failure to the remembered circuit first, so that attempts that begin during the write see its effect. */
  const stepFailed = (partnerId: string, next: (circuit: Circuit) => Circuit) => {
    const stepping = views
      .of(partnerId)
      .then(({ circuit }) => views.remember(partnerId, { circuit: next(circuit) }))
      .then(() => step(partnerId, next));
    const all = Promise.allSettled([steps.get(partnerId), stepping]).then(() => {
      if (steps.get(partnerId) === all) steps.delete(partnerId);
    });
    steps.set(partnerId, all);
    return stepping;
  };

  const viewToAdmit = async (partnerId: string): Promise<EndpointView> => {
    for (;;) {
      let view = await views.of(partnerId);
      // It may be enabled by now, so it is read again: a skipped callback is only sent again by a manual replay.
      if (view.endpoint?.status === 'disabled') {
        views.forget(partnerId);
        view = await views.of(partnerId, { consistent: true });
      }
      const stepping = steps.get(partnerId);
      // A callback may only be deferred once the open circuit is in the table, so wait for a write that is under way.
      if (!isOpen(view.circuit) || !stepping) return view;
      await stepping;
    }
  };

  return {
    /** Whether an attempt may be made now. If the circuit is half-open, one caller in all instances is admitted. */
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
      // The circuit is closed by now, because the probe of another instance has just succeeded.
      if (circuitState(after, now).kind !== 'open') return { kind: 'admitted', endpoint, probe: false };
      return { kind: 'circuit open' };
    },

    /** Whether callbacks are attempted at once: the endpoint is enabled, and its circuit closed. */
    isInService: async (partnerId: string): Promise<boolean> => {
      const { endpoint, circuit } = await views.of(partnerId);
      return endpoint?.status === 'enabled' && !isOpen(circuit);
    },

    succeeded: async (partnerId: string, attempt: Omit<Success, 'atMs'>): Promise<AfterSuccess> => {
      const atMs = clock.now();
      if (lastSuccessAt.size >= maxViews) lastSuccessAt.clear();
      lastSuccessAt.set(partnerId, atMs);
      if (!isFailing((await views.of(partnerId)).circuit)) return {};
      const { before, after } = await step(partnerId, (c) => afterSuccess(c, { ...attempt, atMs }));
      return isOpen(before) && !isOpen(after) ? { circuit: 'closed' } : {};
    },

    failed: async ({ endpoint, probe }: Admitted, result: FailedAttempt): Promise<AfterFailure> => {
      const { partnerId } = endpoint;
      const now = clock.now();
      const failure = {
        atMs: now,
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
        views.forget(partnerId);
        return { ...opened, disabled: reason };
      }
      const { pace } = await views.of(partnerId);
      return { ...opened, openUntilMs: after.openUntil, lineUntilMs: lineUntil(pace, endpoint.maxPerSecond) };
    },
  };
}
