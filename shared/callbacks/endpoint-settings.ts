import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { CallbackStore } from './callback-store.ts';
import {
  type Endpoint,
  newSigningSecret,
  withNewestSecretOnly,
  withOldestSecretOnly,
  withSigningSecret,
} from './endpoint.ts';
import { drainDelayMs } from './endpoint-health.ts';
import type { EndpointStore } from './endpoint-store.ts';

type Deps = {
  endpoints: Pick<EndpointStore, 'view' | 'replace' | 'enable' | 'disable'>;
  callbacks: Pick<CallbackStore, 'startDrain'>;
  clock: Clock;
  ids: Ids;
};

type NotDone = { outcome: 'not set' } | { outcome: 'changed meanwhile' };

/**
 * Changes of a partner's endpoint, by the partner or by an operator: `by` is who asked, for the notice. A change that
 * somebody else was faster with is not made.
 */
export function endpointSettings({ endpoints, callbacks, clock, ids }: Deps) {
  const current = async (partnerId: string): Promise<Endpoint | undefined> =>
    (await endpoints.view(partnerId, { consistent: true })).endpoint;

  const replace = async (
    { endpoint, seen }: { endpoint: Endpoint; seen: Endpoint },
    { what, by }: { what: string; by: string },
  ): Promise<'done' | 'changed meanwhile'> =>
    (await endpoints.replace(endpoint, seen, { at: clock.now(), what, by })) ? 'done' : 'changed meanwhile';

  return {
    /** Enables the endpoint and brings forward what an open circuit put off. */
    enable: async (partnerId: string, by: string): Promise<'done' | 'not set'> => {
      const enabled = await endpoints.enable(partnerId, { at: clock.now(), what: 'enabled', by });
      if (!enabled) return 'not set';
      // Callbacks that waited for hours would wait on, although nothing stops them any more.
      await callbacks.startDrain(partnerId, clock.now() + drainDelayMs);
      return 'done';
    },

    disable: async (
      partnerId: string,
      { reason, by }: { reason: string; by: string },
    ): Promise<'done' | 'disabled already' | 'not set' | 'changed meanwhile'> => {
      const endpoint = await current(partnerId);
      if (!endpoint) return 'not set';
      if (endpoint.status === 'disabled') return 'disabled already';
      return (await endpoints.disable(endpoint, reason, clock.now(), by)) ? 'done' : 'changed meanwhile';
    },

    /** Adds a signing secret beside the only one. */
    rotate: async (
      partnerId: string,
      by: string,
    ): Promise<{ outcome: 'done'; signingSecret: string } | { outcome: 'two already' } | NotDone> => {
      const seen = await current(partnerId);
      if (!seen) return { outcome: 'not set' };
      if (seen.signingSecrets.length > 1) return { outcome: 'two already' };
      const added = newSigningSecret(ids, clock.now());
      const endpoint = withSigningSecret(seen, added);
      const outcome = await replace({ endpoint, seen }, { what: 'signing secret added', by });
      return outcome === 'done' ? { outcome, signingSecret: added.secret } : { outcome };
    },

    /** Ends the older of two signing secrets, or undoes a rotation by ending the newer. */
    retire: async (
      partnerId: string,
      { ended, by }: { ended: 'older' | 'newer'; by: string },
    ): Promise<'done' | 'one only' | 'not set' | 'changed meanwhile'> => {
      const seen = await current(partnerId);
      if (!seen) return 'not set';
      if (seen.signingSecrets.length < 2) return 'one only';
      const endpoint = ended === 'older' ? withNewestSecretOnly(seen) : withOldestSecretOnly(seen);
      return replace({ endpoint, seen }, { what: `${ended} signing secret ended`, by });
    },
  };
}

export type EndpointSettings = ReturnType<typeof endpointSettings>;
