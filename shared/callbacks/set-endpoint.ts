import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import { type CallbackLog, Endpoint, newSigningSecret } from './endpoint.ts';
import { refusal } from './endpoint-address.ts';
import type { EndpointStore } from './endpoint-store.ts';
import type { AddressPolicy } from './public-address.ts';

type Deps = {
  endpoints: Pick<EndpointStore, 'view' | 'replace'>;
  addresses: AddressPolicy;
  clock: Clock;
  ids: Ids;
};

/** What to change; members left out stay. */
export type EndpointChange = {
  url?: string | undefined;
  /** Null: no HTTP Basic any more. */
  basic?: { login: string; secret: string } | null | undefined;
  timeoutMs?: number | undefined;
  log?: CallbackLog | undefined;
};

export type EndpointSaved =
  /** `signingSecret` is that of a new endpoint, to be shown this once. */
  | { outcome: 'saved'; endpoint: Endpoint; changed: string[]; signingSecret?: string }
  | { outcome: 'url refused'; why: string }
  | { outcome: 'url missing' }
  | { outcome: 'changed meanwhile' };

/**
 * Sets where and how a partner is called back, for the partner or an operator (`by`, in the notice). Apart from other
 * changes: it alone needs the rules of addresses.
 */
export function setEndpoint({ endpoints, addresses, clock, ids }: Deps) {
  return async (partnerId: string, change: EndpointChange, by: string): Promise<EndpointSaved> => {
    const why = change.url === undefined ? undefined : refusal(change.url, addresses);
    if (why !== undefined) return { outcome: 'url refused', why };
    const { endpoint: seen } = await endpoints.view(partnerId, { consistent: true });
    const url = change.url ?? seen?.url;
    if (url === undefined) return { outcome: 'url missing' };
    const { basic: basicBefore, ...others } = seen ?? {
      partnerId,
      status: 'enabled',
      signingSecrets: [newSigningSecret(ids, clock.now())],
    };
    const basic = change.basic === undefined ? basicBefore : change.basic;
    const endpoint = Endpoint.parse({
      ...others,
      url,
      ...(change.timeoutMs === undefined ? {} : { timeoutMs: change.timeoutMs }),
      ...(change.log === undefined ? {} : { log: change.log }),
      ...(basic ? { basic } : {}),
    });
    const changed = changedSettings(seen, endpoint, change);
    if (seen && changed.length === 0) return { outcome: 'saved', endpoint: seen, changed };
    const notice = { at: clock.now(), what: `${changed.join(', ')} changed`, by };
    if (!(await endpoints.replace(endpoint, seen, notice))) return { outcome: 'changed meanwhile' };
    const [first] = seen ? [] : endpoint.signingSecrets;
    return { outcome: 'saved', endpoint, changed, ...(first ? { signingSecret: first.secret } : {}) };
  };
}

export type SetEndpoint = ReturnType<typeof setEndpoint>;

/** Names of settings, never their values. */
function changedSettings(
  seen: Endpoint | undefined,
  { url, timeoutMs, log }: Endpoint,
  { basic }: EndpointChange,
): string[] {
  return [
    ...(url === seen?.url ? [] : ['address']),
    ...(basic === undefined ? [] : ['HTTP Basic']),
    ...(seen === undefined || timeoutMs === seen.timeoutMs ? [] : ['timeout']),
    ...(seen === undefined || log === seen.log ? [] : ['log']),
  ];
}
