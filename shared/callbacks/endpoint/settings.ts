import type { NewEvent, Occasion } from '../../events/event.ts';
import { refusal } from '../../platform/egress/address-rules.ts';
import { isOwnAddress, type OwnService } from '../../platform/egress/own-address.ts';
import type { AddressPolicy } from '../../platform/egress/public-address.ts';
import { isMadeBy, retired, rotated } from '../../platform/http/rotation.ts';
import { type Clock, systemClock } from '../../platform/runtime/clock.ts';
import { type Ids, systemIds } from '../../platform/runtime/ids.ts';
import type { Table } from '../../platform/table/table.ts';
import { closed, hasOpened } from './circuit.ts';
import { disabledBecause, Endpoint, newSigningSecret, type SigningSecret } from './endpoint.ts';
import { type EndpointChange, type EndpointStore, endpointStore } from './endpoint-store.ts';

type Rotation = { by: string; madeBy?: string | undefined; replace?: boolean | undefined };
type Deps = { endpoints: Pick<EndpointStore, 'change'>; clock: Clock; ids: Ids };

/** Changes to a partner's endpoint, by the partner or by an operator. `by` names the caller in the event. */
export function endpointSettings(table: Table, clock: Clock = systemClock, ids: Ids = systemIds) {
  const endpoints = endpointStore(table);
  const change = async <Refused extends string>(
    endpointId: string,
    decide: (seen: Endpoint) => EndpointChange | Refused,
  ): Promise<'done' | 'not set' | Refused> => {
    const changed = await endpoints.change<'not set' | Refused>(endpointId, (seen) =>
      seen ? decide(seen) : 'not set',
    );
    return typeof changed === 'string' ? changed : 'done';
  };

  return {
    /** Enables the endpoint and closes its circuit, which releases the callbacks that the circuit deferred. */
    enable: async (endpointId: string, by: string): Promise<'done' | 'not set'> => {
      const nowMs = clock.now();
      const kind = 'endpoint.enabled';
      const eventOf = (what: string): NewEvent => ({ kind, by, atMs: nowMs, data: { what } });
      const enabled = await change(endpointId, ({ disabledReason: _over, disabledAt: _then, ...seen }) =>
        seen.status === 'enabled'
          ? 'enabled already'
          : { endpoint: { ...seen, status: 'enabled', enabledAt: nowMs }, event: eventOf('enabled') },
      );
      if (enabled === 'not set') return enabled;
      // A change from disabled has closed the circuit.
      if (enabled === 'enabled already')
        await endpoints.stepCircuit(endpointId, () => closed(nowMs), {
          nowMs,
          // The circuit is closed without a success, so the partner that was told of its failing is told of no recovery.
          eventOf: (before) => (hasOpened(before) ? eventOf('what waited is tried again') : undefined),
        });
      return 'done';
    },

    disable: (endpointId: string, { reason, by }: { reason: string; by: string }) =>
      change(endpointId, (seen) =>
        seen.status === 'disabled'
          ? 'disabled already'
          : disabledBecause(seen, { reason, atMs: clock.now(), by }),
      ),

    /** Adds a second signing secret; both sign. With `replace` it takes the place of the newer of two. */
    rotate: async (endpointId: string, { by, madeBy, replace }: Rotation) => {
      const added = newSigningSecret(ids, clock.now(), madeBy);
      const outcome = await change(endpointId, (seen) => {
        const changed = rotated(seen.signingSecrets, added, replace);
        if (changed === 'two secrets') return changed;
        const what = changed.ended ? 'newer signing secret replaced' : 'signing secret added';
        const endpoint = { ...seen, signingSecrets: changed.secrets };
        return { endpoint, event: changedEvent(what, { by, atMs: clock.now() }) };
      });
      return { outcome, signingSecret: added.secret };
    },

    /** Ends the older of two signing secrets, as `retired` says. */
    retire: (endpointId: string, by: string, madeUntil: number | undefined) =>
      change(endpointId, (seen) => {
        const changed = retired(seen.signingSecrets, madeUntil);
        if (typeof changed === 'string') return changed;
        const endpoint = { ...seen, signingSecrets: changed.secrets };
        return { endpoint, event: changedEvent('older signing secret ended', { by, atMs: clock.now() }) };
      }),
  };
}

function changedEvent(what: string, occasion: Occasion): NewEvent {
  return { ...occasion, kind: 'endpoint.changed', data: { what } };
}

/** The settings to change: those that are left out stay as they are, and null removes one. */
export type EndpointSettingsChange = {
  [Setting in 'mode' | 'url' | 'timeoutMs' | 'log']?: Endpoint[Setting] | undefined;
} & {
  [Setting in 'basic' | 'maxPerSecond' | 'states' | 'kinds']?: Endpoint[Setting] | null | undefined;
};

/**
 * `by` names the caller in the event. A repetition of the request `madeBy` that died gets a new secret. `own` is the
 * service itself, which must not call itself back. With `renew` the endpoint is enabled and gets a new signing secret
 * each time; the newest one before it signs too.
 */
type Asked = { by: string; madeBy?: string | undefined; own: OwnService; renew?: boolean };

/**
 * Makes the function that sets a partner's endpoint, for the partner or an operator. Only this change needs the rules for
 * addresses. It returns the names of the settings that changed, and the signing secret of a new endpoint, which is shown
 * only now; or why the URL is refused; or `basicNeeded`, if the stored credentials would go to another server.
 */
export function setEndpoint({ endpoints, addresses, clock, ids }: Deps & { addresses: AddressPolicy }) {
  return async (endpointId: string, asked: EndpointSettingsChange, { by, madeBy, own, renew }: Asked) => {
    // A pasted address often has a blank or a line break at its end.
    const change = { ...asked, url: asked.url?.trim() };
    const urlRefused = change.url === undefined ? undefined : refusal(change.url, addresses);
    if (urlRefused !== undefined) return { urlRefused };
    if (change.url !== undefined && isOwnAddress(change.url, own)) return { urlRefused: 'is this service' };
    const added = newSigningSecret(ids, clock.now(), madeBy);
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    let changed: string[] = [];
    const saved = await endpoints.change<'url required' | 'basic needed'>(endpointId, (seen) => {
      // If the only secret was made by this request, the request died before it could show it.
      const isNew = !seen || seen.signingSecrets.every((secret) => isMadeBy(secret, madeBy));
      const mode = change.mode ?? seen?.mode ?? 'post';
      if (mode === 'post' && (change.url ?? seen?.url) === undefined) return 'url required';
      if (seen && movesCredentials(seen, change)) return 'basic needed';
      const endpoint = Endpoint.parse({
        ...(seen ?? { partnerId: endpointId, status: 'enabled' }),
        ...(isNew ? { signingSecrets: [added] } : {}),
        ...(seen && renew ? renewed(seen, added) : {}),
        ...Object.fromEntries(given.map(([name, value]) => [name, value ?? undefined])),
      });
      const differs = (name: keyof Endpoint) => textOf(endpoint[name]) !== textOf(seen?.[name]);
      const isChanged = {
        mode: mode !== (seen?.mode ?? 'post'),
        address: differs('url'),
        'HTTP Basic': differs('basic'),
        timeout: seen && differs('timeoutMs'),
        log: seen && differs('log'),
        pace: seen && differs('maxPerSecond'),
        states: seen && differs('states'),
        kinds: seen && differs('kinds'),
        'signing secret': seen && renew,
      };
      changed = Object.entries(isChanged).flatMap(([name, is]) => (is ? [name] : []));
      if (!isNew && changed.length === 0) return { endpoint: seen };
      const pace = endpoint.maxPerSecond === undefined ? 'no limit' : `${endpoint.maxPerSecond} a second`;
      const values: Record<string, string> = {
        pace,
        mode,
        ...(renew && endpoint.url !== undefined ? { address: new URL(endpoint.url).host } : {}),
      };
      const named = changed.map((name) => (values[name] === undefined ? name : `${name} (${values[name]})`));
      return { endpoint, event: changedEvent(`${named.join(', ')} changed`, { by, atMs: clock.now() }) };
    });
    if (saved === 'url required') return { urlRefused: 'is required the first time' };
    if (saved === 'basic needed') return { basicNeeded: true as const };
    const { endpoint } = saved;
    const shown = endpoint.signingSecrets.find(({ secret }) => secret === added.secret);
    return { endpoint, changed, signingSecret: shown?.secret };
  };
}

/** Equal for equal settings. The order of the states and kinds that are chosen says nothing. */
function textOf(setting: unknown): string | undefined {
  return JSON.stringify(Array.isArray(setting) ? setting.toSorted() : setting);
}

/** The settings enabled, with a new secret and the newest one before it that another request made. */
function renewed({ signingSecrets }: Endpoint, added: SigningSecret): Partial<Endpoint> {
  const before = signingSecrets.filter((secret) => !isMadeBy(secret, added.madeBy)).slice(-1);
  const { secrets } = rotated(before, added) as { secrets: SigningSecret[] };
  return {
    signingSecrets: secrets,
    status: 'enabled',
    disabledReason: undefined,
    disabledAt: undefined,
    enabledAt: added.createdAt,
  };
}

/** Rule 51: whoever may change the address must not learn the password by it, so another origin needs it again. */
function movesCredentials(seen: Endpoint, { url, basic }: EndpointSettingsChange): boolean {
  if (!seen.basic || url === undefined || basic !== undefined) return false;
  return seen.url === undefined || new URL(url).origin !== new URL(seen.url).origin;
}
