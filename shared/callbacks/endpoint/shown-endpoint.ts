import * as z from 'zod/mini';
import { AlertKind, type Event, standardAlertKinds } from '../../events/event.ts';
import { type Failure, fail } from '../../platform/http/failures.ts';
import { described, named } from '../../platform/validation/documented.ts';
import { type Circuit, circuitState } from './circuit.ts';
import {
  CallbackLog,
  CallbackMode,
  ChosenStates,
  type Endpoint,
  isPosted,
  MaxPerSecond,
  type PostedEndpoint,
} from './endpoint.ts';
import type { EndpointView } from './endpoint-store.ts';
import { lineUntil } from './pace-store.ts';

const Status = z.enum(['ENABLED', 'DISABLED']).register(z.globalRegistry, { id: 'EndpointStatus' });

const ShownCircuit = named(
  'Circuit',
  {
    state: z.enum(['CLOSED', 'OPEN', 'HALF_OPEN']),
    until: described(z.optional(z.iso.datetime()), 'While OPEN: no attempt before then'),
    reason: described(
      z.optional(z.enum(['FAILURES', 'RETRY_AFTER'])),
      'While OPEN: after repeated failures, or because a response with Retry-After asked for it',
    ),
  },
  'Opens after repeated failures, or when a response asks for a pause, and then lets one attempt through at a time until one succeeds.',
);

const ShownNotice = named('EndpointNotice', {
  time: z.iso.datetime(),
  what: z.string(),
  by: described(z.optional(z.string()), 'The key of who asked for it'),
});

const SigningSecretAge = named('SigningSecretAge', { createdAt: z.iso.datetime() });

/** When the signing secrets were made, the older one first. */
export function shownSecrets({ signingSecrets }: Endpoint): z.input<typeof SigningSecretAge>[] {
  return signingSecrets.map(({ createdAt }) => ({ createdAt: new Date(createdAt).toISOString() }));
}

function shownStatus({ status, disabledReason }: Endpoint) {
  return status === 'enabled'
    ? ({ status: 'ENABLED' } as const)
    : ({ status: 'DISABLED', reason: disabledReason } as const);
}

const settings = {
  mode: described(CallbackMode, 'post: callbacks are posted to url. feed: GET /callbacks/feed has them'),
  url: described(z.optional(z.string()), 'Not there in mode feed, if none was ever set'),
  status: Status,
  reason: described(z.optional(z.string()), 'Why it is disabled'),
  timeoutSeconds: z.number(),
  basicLogin: described(z.optional(z.string()), 'The login that callbacks carry, if any'),
  log: CallbackLog,
  maxPerSecond: described(z.optional(MaxPerSecond), 'Not there: callbacks are sent as fast as we can'),
  states: described(z.optional(ChosenStates), 'Not there: callbacks are sent about all states'),
};

export const ShownSettings = named('EndpointSettings', {
  ...settings,
  secret: described(
    z.optional(z.nullable(z.string())),
    'The signing secret of a new endpoint, shown this once: null in a replay',
  ),
});

export const ShownEndpoint = named('CallbackEndpoint', {
  ...settings,
  circuit: ShownCircuit,
  waiting: described(z.int(), 'Callbacks that will be attempted again'),
  paceWaitingSince: described(
    z.optional(z.iso.datetime()),
    'Since when the oldest callback in line has waited, as maxPerSecond holds it back; waiting counts only those beyond an hour of line',
  ),
  skipped: described(z.int(), 'Callbacks kept for a replay'),
  countsAreMinimum: described(
    z.optional(z.literal(true)),
    'There when more callbacks are kept than were counted',
  ),
  secrets: z.array(SigningSecretAge),
  notices: described(z.array(ShownNotice), 'The newest 50 events of the endpoint, newest first'),
  examined: described(
    z.optional(
      named('EndpointExamined', { at: z.iso.datetime(), failed: z.array(z.string()), skipped: z.int() }),
    ),
    'The last examination of this address with these secrets: the checks that failed, and how many were skipped',
  ),
});

const alerts = {
  url: described(z.string(), 'To keys that are not full only the origin is shown'),
  kinds: described(z.array(AlertKind), 'The kinds of events that are sent'),
  status: Status,
  reason: described(z.optional(z.string()), 'Why it is disabled'),
};

export const ShownAlerts = named('AlertsSettings', {
  ...alerts,
  secret: described(z.nullable(z.string()), 'The new signing secret, shown this once: null in a replay'),
});

export const ShownAlertsEndpoint = named('Alerts', {
  ...alerts,
  circuit: ShownCircuit,
  failingSince: described(z.optional(z.iso.datetime()), 'There while attempts fail'),
  secrets: z.array(SigningSecretAge),
});

export function shownAlerts(alerts: PostedEndpoint) {
  const { url, kinds = standardAlertKinds } = alerts;
  return { url, kinds: [...kinds], ...shownStatus(alerts) };
}

/** Where alerts are posted, and whether they arrive; `undefined` if nowhere. */
export function shownAlertsEndpoint({ endpoint, circuit }: EndpointView, nowMs: number) {
  if (!endpoint || !isPosted(endpoint)) return undefined;
  const { failingSince } = circuit;
  return {
    ...shownAlerts(endpoint),
    circuit: shownCircuit(circuit, nowMs),
    failingSince: failingSince === undefined ? undefined : new Date(failingSince).toISOString(),
    secrets: shownSecrets(endpoint),
  };
}

export const EndpointState = named('EndpointState', { status: Status });

/** The settings without secrets. */
export function shownSettings(endpoint: Endpoint, logByDefault: CallbackLog) {
  const { mode = 'post', url, timeoutMs, basic, log, maxPerSecond, states } = endpoint;
  return {
    mode,
    url,
    ...shownStatus(endpoint),
    timeoutSeconds: timeoutMs / 1_000,
    basicLogin: basic?.login,
    log: log ?? logByDefault,
    maxPerSecond,
    states,
  };
}

/** Since when the oldest callback has waited for the pace of the endpoint, if one does. */
export function shownPlaceInLine({ endpoint, pace }: Pick<EndpointView, 'endpoint' | 'pace'>, nowMs: number) {
  const { slotsUntil, oldestSince } = pace;
  const perSecond = endpoint?.maxPerSecond;
  const isWaiting = perSecond !== undefined && Math.max(slotsUntil, lineUntil(pace, perSecond)) > nowMs;
  return isWaiting && oldestSince !== undefined ? new Date(oldestSince).toISOString() : undefined;
}

const openReasons = { failures: 'FAILURES', 'retry-after': 'RETRY_AFTER' } as const;
const circuitStates = { closed: 'CLOSED', 'half-open': 'HALF_OPEN' } as const;

export function shownCircuit(circuit: Circuit, nowMs: number): z.input<typeof ShownCircuit> {
  const state = circuitState(circuit, nowMs);
  if (state.kind !== 'open') return { state: circuitStates[state.kind] };
  return { state: 'OPEN', until: new Date(state.untilMs).toISOString(), reason: openReasons[state.reason] };
}

/** An event of the endpoint, as a notice. */
export function shownNotice({ at, by, data }: Event): z.input<typeof ShownNotice> {
  return { time: new Date(at).toISOString(), what: String(data['what']), by };
}

/** What posts to the partner's URL has nothing to do while callbacks are read from the feed. */
export const endpointIsFeed: Failure<'ENDPOINT_IS_FEED'> = fail(
  'ENDPOINT_IS_FEED',
  'callbacks: they are read from GET /callbacks/feed, and nothing is posted; PUT /callbacks/endpoint {"mode": "post"} changes that',
);

export const endpointNotSet: Failure<'ENDPOINT_NOT_SET'> = fail(
  'ENDPOINT_NOT_SET',
  'callbacks: no endpoint is set, PUT /callbacks/endpoint sets it',
);

export const alertsNotSet: Failure<'ALERTS_NOT_SET'> = fail(
  'ALERTS_NOT_SET',
  'alerts: no address is set, PUT /alerts sets it',
);
