import { refusal } from '../../platform/egress/address-rules.ts';
import type { AddressPolicy } from '../../platform/egress/public-address.ts';
import { endpointDeps } from '../../platform/http/endpoint-deps.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import type { Ids } from '../../platform/runtime/ids.ts';
import { closed } from './circuit.ts';
import {
  type CallbackLog,
  disabledBecause,
  Endpoint,
  newSigningSecret,
  secretsNotMadeBy,
  withNewestSecretOnly,
  withOldestSecretOnly,
} from './endpoint.ts';
import { type EndpointStore, endpointStore } from './store.ts';

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

/** The dependencies of the deployed functions that change an endpoint. */
export function settingsDeps() {
  const deps = endpointDeps({ endpoints: endpointStore });
  return { ...deps, settings: endpointSettings(deps) };
}

/** What to change; members left out stay. */
export type EndpointSettingsChange = {
  url?: string | undefined;
  /** Null: no HTTP Basic any more. */
  basic?: { login: string; secret: string } | null | undefined;
  timeoutMs?: number | undefined;
  log?: CallbackLog | undefined;
};

/** Who asks: `by` is for the notice, `madeBy` the request, whose repetition after it died is shown the secret again. */
type Asked = { by: string; madeBy?: string | undefined };

export type EndpointSaved =
  /** `signingSecret` is that of a new endpoint, to be shown this once. */
  | { outcome: 'saved'; endpoint: Endpoint; changed: string[]; signingSecret?: string }
  | { outcome: 'url refused'; why: string }
  | { outcome: 'url missing' };

/** Sets where and how a partner is called back, for the partner or an operator. It alone needs the rules of addresses. */
export function setEndpoint({ endpoints, addresses, clock, ids }: Deps & { addresses: AddressPolicy }) {
  return async (
    partnerId: string,
    change: EndpointSettingsChange,
    { by, madeBy }: Asked,
  ): Promise<EndpointSaved> => {
    const why = change.url === undefined ? undefined : refusal(change.url, addresses);
    if (why !== undefined) return { outcome: 'url refused', why };
    const added = newSigningSecret(ids, clock.now(), madeBy);
    let changed: string[] = [];
    const saved = await endpoints.change<'url missing' | { unchanged: Endpoint }>(partnerId, (seen) => {
      // Its only secret is of the same request, which died before it could show it.
      const isNew = !seen || secretsNotMadeBy(seen, madeBy).length === 0;
      const url = change.url ?? seen?.url;
      if (url === undefined) return { refused: 'url missing' };
      const before = seen ?? { partnerId, status: 'enabled' };
      const endpoint = withChange({ ...before, url, ...(isNew ? { signingSecrets: [added] } : {}) }, change);
      changed = changedSettings(seen, endpoint, change);
      if (!isNew && changed.length === 0) return { refused: { unchanged: seen } };
      return { endpoint, notice: { at: clock.now(), what: `${changed.join(', ')} changed`, by } };
    });
    if (saved.outcome === 'refused') {
      return saved.refused === 'url missing'
        ? { outcome: 'url missing' }
        : { outcome: 'saved', endpoint: saved.refused.unchanged, changed };
    }
    const { endpoint } = saved;
    const isShown = endpoint.signingSecrets.some(({ secret }) => secret === added.secret);
    return { outcome: 'saved', endpoint, changed, ...(isShown ? { signingSecret: added.secret } : {}) };
  };
}

export type SetEndpoint = ReturnType<typeof setEndpoint>;

function withChange(
  { basic: basicBefore, ...others }: Partial<Endpoint>,
  { basic = basicBefore, timeoutMs, log }: EndpointSettingsChange,
): Endpoint {
  return Endpoint.parse({
    ...others,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(log === undefined ? {} : { log }),
    ...(basic ? { basic } : {}),
  });
}

/** Names of settings, never their values. */
function changedSettings(
  seen: Endpoint | undefined,
  { url, timeoutMs, log }: Endpoint,
  { basic }: EndpointSettingsChange,
): string[] {
  return [
    ...(url === seen?.url ? [] : ['address']),
    ...(basic === undefined ? [] : ['HTTP Basic']),
    ...(seen === undefined || timeoutMs === seen.timeoutMs ? [] : ['timeout']),
    ...(seen === undefined || log === seen.log ? [] : ['log']),
  ];
}
