import { Command } from '@commander-js/extra-typings';
import { alertsEndpointOf } from '../../shared/callbacks/alerts-endpoint.ts';
import { circuitState } from '../../shared/callbacks/endpoint/circuit.ts';
import type { EndpointView } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { shownAlertsEndpoint, shownPlaceInLine } from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { failure } from '../cli/command-line.ts';
import { formatTime, listing } from '../cli/formats.ts';
import { settingsOf } from './callback.ts';
import { shownKeys } from './keys.ts';
import { limitLines, limitsOf } from './limits.ts';
import { creationTimes, type Run, type Session } from './session.ts';

export function showCommand(run: Run) {
  return new Command('show')
    .description('Shows a partner: its keys, offers, limits, callback endpoint and alerts.')
    .argument('<partnerId|login>')
    .addHelpText('after', '\nWhere the id of one partner is the login of another, the id counts.')
    .action(run(show));
}

async function show(session: Session, idOrLogin: string) {
  const { partners, endpoints, clock } = session;
  const ofPartner = await session.keys.list(idOrLogin);
  const byLogin = ofPartner.length > 0 ? undefined : await partners.key(idOrLogin);
  const all = byLogin ? await session.keys.list(byLogin.partnerId) : ofPartner;
  const [partner] = all;
  if (!partner) throw failure(`There is no partner and no login "${idOrLogin}": the command list shows all.`);
  const { partnerId, disabled, offerIds } = partner;
  const limits = await limitsOf(session, partner);
  const callback = callbackOf(await endpoints.view(partnerId, { consistent: true }), clock.now());
  const alerts = alertsOf(
    await endpoints.view(alertsEndpointOf(partnerId), { consistent: true }),
    clock.now(),
  );
  const { keys, table } = shownKeys(all);
  const facts = [
    ['Partner', partnerId],
    ['State', disabled ? 'disabled' : 'enabled'],
    ['Offers', offerIds.join(', ') || 'none'],
  ] as const;
  const paragraphs = [
    listing(facts),
    `Keys\n${table.replace(/^/gm, '  ')}`,
    `Limits\n${listing(limitLines(limits))}`,
    callback ? `Callbacks\n${listing(callbackLines(callback))}` : 'Callbacks\n  no endpoint',
    alerts ? `Alerts\n${listing(alertLines(alerts))}` : 'Alerts\n  no address',
  ];
  return {
    text: paragraphs.join('\n\n'),
    json: { partnerId, disabled, offerIds, keys, limits, callback, alerts },
  };
}

/** What GET /alerts shows to a key that may only look: whoever knows the address of an incoming webhook can post there. */
function alertsOf(view: EndpointView, nowMs: number) {
  const shown = shownAlertsEndpoint(view, nowMs);
  return shown ? { ...shown, url: new URL(shown.url).origin } : null;
}

function alertLines(alerts: NonNullable<ReturnType<typeof alertsOf>>): [string, string][] {
  const { status, circuit, failingSince } = alerts;
  const reason = 'reason' in alerts ? `: ${alerts.reason}` : '';
  const failing = `failing since ${failingSince}, circuit ${circuit.state.toLowerCase()}`;
  return [
    ['Server', alerts.url],
    ['State', `${status.toLowerCase()}${reason}`],
    ['Health', failingSince === undefined ? 'no failure since its last success or change' : failing],
    ['Kinds', alerts.kinds.join(', ')],
  ];
}

/** The endpoint without its secrets. */
function callbackOf(view: EndpointView, nowMs: number) {
  const { endpoint, circuit } = view;
  if (!endpoint) return null;
  const state = circuitState(circuit, nowMs);
  const timeOf = (atMs: number | undefined) => (atMs === undefined ? undefined : formatTime(atMs));
  return {
    ...settingsOf(endpoint),
    disabledReason: endpoint.disabledReason,
    disabledAt: timeOf(endpoint.disabledAt),
    paceWaitingSince: shownPlaceInLine(view, nowMs),
    signingSecrets: creationTimes(endpoint.signingSecrets),
    circuit: state.kind,
    failingSince: timeOf(circuit.failingSince),
    openUntil: timeOf(state.kind === 'open' ? state.untilMs : undefined),
  };
}

function callbackLines(callback: NonNullable<ReturnType<typeof callbackOf>>): [string, string][] {
  const { status, disabledReason, disabledAt, circuit, failingSince, openUntil } = callback;
  const { maxPerSecond, paceWaitingSince, states } = callback;
  const waiting = paceWaitingSince === undefined ? '' : `, the oldest has waited since ${paceWaitingSince}`;
  const open = openUntil === undefined ? '' : ` until ${openUntil}`;
  const failing = `failing since ${failingSince}, circuit ${circuit}${open}`;
  return [
    ['Mode', callback.mode === 'feed' ? 'feed: the partner reads its callbacks itself' : 'post'],
    ['URL', callback.url ?? 'none'],
    ['State', disabledReason === undefined ? status : `${status}: ${disabledReason}, since ${disabledAt}`],
    ['Health', failingSince === undefined ? 'no failure since its last success or change' : failing],
    ['Basic', callback.basicLogin === null ? 'none' : `login ${callback.basicLogin}`],
    ['Timeout', `${callback.timeoutMs} ms`],
    ['Log', callback.log ?? 'as the stage has it: all where the wallet is simulated, else failures'],
    ['Pace', maxPerSecond === null ? 'no limit' : `${maxPerSecond} a second at most${waiting}`],
    ['States', states === null ? 'all' : states.join(', ')],
    ['Signing', `created ${callback.signingSecrets.join(' and ')}`],
  ];
}
