import type { Clock } from '../../runtime/clock.ts';
import type { Ids } from '../../runtime/ids.ts';
import { closed } from './circuit.ts';
import {
  disabledBecause,
  newSigningSecret,
  secretsNotMadeBy,
  withNewestSecretOnly,
  withOldestSecretOnly,
} from './endpoint.ts';
import type { EndpointStore } from './store.ts';

type Deps = {
  endpoints: Pick<EndpointStore, 'change' | 'stepCircuit'>;
  clock: Clock;
  ids: Ids;
};

/** Changes of a partner's endpoint, by the partner or by an operator: `by` is who asked, for the notice. */
export function endpointSettings({ endpoints, clock, ids }: Deps) {
  return {
    /** Enables the endpoint, closes its circuit, and brings forward what that deferred. */
    enable: async (partnerId: string, by: string): Promise<'done' | 'not set'> => {
      const nowMs = clock.now();
      const enabled = await endpoints.change<'not set' | 'enabled already'>(partnerId, (seen) => {
        if (!seen) return { refused: 'not set' };
        if (seen.status === 'enabled') return { refused: 'enabled already' };
        const { disabledReason: _over, disabledAt: _then, ...rest } = seen;
        return {
          endpoint: { ...rest, status: 'enabled' },
          notice: { at: nowMs, what: 'enabled', by },
        };
      });
      if (enabled.outcome === 'refused' && enabled.refused === 'not set') return 'not set';
      await endpoints.stepCircuit(partnerId, () => closed(nowMs), nowMs);
      return 'done';
    },

    disable: async (
      partnerId: string,
      { reason, by }: { reason: string; by: string },
    ): Promise<'done' | 'disabled already' | 'not set'> => {
      const disabled = await endpoints.change<'not set' | 'disabled already'>(partnerId, (seen) => {
        if (!seen) return { refused: 'not set' };
        if (seen.status === 'disabled') return { refused: 'disabled already' };
        return disabledBecause(seen, { reason, atMs: clock.now(), by });
      });
      return disabled.outcome === 'changed' ? 'done' : disabled.refused;
    },

    /**
     * Adds a signing secret beside the only one. `madeBy` is the request: its repetition, after it died, replaces the
     * secret that nobody has seen.
     */
    rotate: async (
      partnerId: string,
      by: string,
      madeBy?: string,
    ): Promise<{ outcome: 'done'; signingSecret: string } | { outcome: 'two already' | 'not set' }> => {
      const added = newSigningSecret(ids, clock.now(), madeBy);
      const rotated = await endpoints.change<'two already' | 'not set'>(partnerId, (seen) => {
        if (!seen) return { refused: 'not set' };
        const kept = secretsNotMadeBy(seen, madeBy);
        if (kept.length > 1) return { refused: 'two already' };
        return {
          endpoint: { ...seen, signingSecrets: [...kept, added] },
          notice: { at: clock.now(), what: 'signing secret added', by },
        };
      });
      if (rotated.outcome === 'refused') return { outcome: rotated.refused };
      return { outcome: 'done', signingSecret: added.secret };
    },

    /** Ends the older of two signing secrets, or undoes a rotation by ending the newer. */
    retire: async (
      partnerId: string,
      { ended, by }: { ended: 'older' | 'newer'; by: string },
    ): Promise<'done' | 'one only' | 'not set'> => {
      const retired = await endpoints.change<'one only' | 'not set'>(partnerId, (seen) => {
        if (!seen) return { refused: 'not set' };
        if (seen.signingSecrets.length < 2) return { refused: 'one only' };
        return {
          endpoint: ended === 'older' ? withNewestSecretOnly(seen) : withOldestSecretOnly(seen),
          notice: { at: clock.now(), what: `${ended} signing secret ended`, by },
        };
      });
      return retired.outcome === 'changed' ? 'done' : retired.refused;
    },
  };
}

export type EndpointSettings = ReturnType<typeof endpointSettings>;
