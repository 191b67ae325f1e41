import { Command } from '@commander-js/extra-typings';
import { failure } from '../../build/command-line.ts';
import { circuitState } from '../../shared/callbacks/endpoint/circuit.ts';
import type { EndpointView } from '../../shared/callbacks/endpoint/store.ts';
import { formatTime } from '../cli/iso-time.ts';
import { listing } from '../cli/plain-table.ts';
import { limitLines, limitsOf } from './limits.ts';
import { creationTimes } from './lookups.ts';
import { after, type Run } from './partner-command.ts';
import type { Report, Session } from './session.ts';

export function showPartner(run: Run) {
  return new Command('show')
    .description('Shows a partner: its keys, offers, limits and callback endpoint.')
    .argument('<partnerId|login>')
    .addHelpText(...after('Where the id of one partner is the login of another, the id counts.'))
    .action(run(show));
}

async function show(session: Session, idOrLogin: string): Promise<Report> {
  const { partners, keys, endpoints, clock, pushesPerMinute } = session;
  const account = (await partners.find(idOrLogin)) ?? (await partners.account(idOrLogin));
  if (!account) throw failure(`There is no partner and no login "${idOrLogin}": the command list shows all.`);
  const { partnerId, disabled, offerIds } = account;
  const limits = limitsOf(account, await partners.offers(offerIds), pushesPerMinute);
  const callback = callbackOf(await endpoints.view(partnerId, { consistent: true }), clock.now());
  const all = (await keys.list(partnerId)).map((key) => {
    return { login: key.login, role: key.role, secrets: creationTimes(key.secrets) };
  });
  return {
    text: [
      listing([
        ['Partner', partnerId],
        ['State', stateOf(account)],
        ['Offers', offerIds.join(', ') || 'none'],
      ]),
      `Keys\n${listing(all.map((key) => [key.login, `${key.role}, ${createdAt(key.secrets)}`]))}`,
      `Limits\n${listing(limitLines(limits))}`,
      callback ? `Callbacks\n${listing(callbackLines(callback))}` : 'Callbacks\n  no endpoint',
    ].join('\n\n'),
    json: { partnerId, disabled, offerIds, keys: all, limits, callback },
  };
}

export function stateOf({ disabled }: { disabled: boolean }): string {
  return disabled ? 'disabled' : 'enabled';
}

function createdAt(times: readonly string[]): string {
  return times.map((at) => `created ${at}`).join(', ');
}

/** The endpoint without its secrets. */
function callbackOf({ endpoint, circuit }: EndpointView, nowMs: number) {
  if (!endpoint) return null;
  const state = circuitState(circuit, nowMs);
  return {
    url: endpoint.url,
    status: endpoint.status,
    disabledReason: endpoint.disabledReason,
    disabledAt: timeOrNone(endpoint.disabledAt),
    timeoutMs: endpoint.timeoutMs,
    basicLogin: endpoint.basic?.login ?? null,
    log: endpoint.log ?? null,
    signingSecrets: creationTimes(endpoint.signingSecrets),
    circuit: state.kind,
    failingSince: timeOrNone(circuit.failingSince),
    openUntil: timeOrNone(state.kind === 'open' ? state.untilMs : undefined),
  };
}

function timeOrNone(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : formatTime(atMs);
}

type ShownCallback = NonNullable<ReturnType<typeof callbackOf>>;

function callbackLines(callback: ShownCallback): [string, string][] {
  const { status, disabledReason, disabledAt, circuit, failingSince, openUntil } = callback;
  const why = disabledReason === undefined ? '' : `: ${disabledReason}, since ${disabledAt}`;
  return [
    ['URL', callback.url],
    ['State', `${status}${why}`],
    [
      'Health',
      failingSince === undefined
        ? 'no failure since the last success'
        : `failing since ${failingSince}, circuit ${circuit}${openUntil === undefined ? '' : ` until ${openUntil}`}`,
    ],
    ['Basic', callback.basicLogin === null ? 'none' : `login ${callback.basicLogin}`],
    ['Timeout', `${callback.timeoutMs} ms`],
    ['Log', callback.log ?? 'as the stage has it: all where the wallet is simulated, else failures'],
    ['Signing', createdAt(callback.signingSecrets)],
  ];
}
