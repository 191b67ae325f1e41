import { refusal } from '../../egress/address-rules.ts';
import type { AddressPolicy } from '../../egress/public-address.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Ids } from '../../runtime/ids.ts';
import { type CallbackLog, Endpoint, newSigningSecret, secretsNotMadeBy } from './endpoint.ts';
import type { EndpointStore } from './store.ts';

type Deps = {
  endpoints: Pick<EndpointStore, 'change'>;
  addresses: AddressPolicy;
  clock: Clock;
  ids: Ids;
};

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

/**
 * Sets where and how a partner is called back, for the partner or an operator. Apart from other changes: it alone needs
 * the rules of addresses.
 */
export function setEndpoint({ endpoints, addresses, clock, ids }: Deps) {
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
