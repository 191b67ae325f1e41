import { type Circuit, gateOf } from '../../../shared/callbacks/circuit.ts';
import type { EndpointView } from '../../../shared/callbacks/endpoint-store.ts';
import type { Account } from '../../../shared/partners/account.ts';
import { writeInstant } from '../../cli/instant.ts';
import { listing } from '../../cli/plain-table.ts';
import { failed } from '../../cli/stop.ts';
import { limitLines, limitsOf } from '../agreed-limits.ts';
import type { Command } from '../command.ts';
import { operand } from '../whom.ts';

export const showPartner: Command = {
  name: 'show',
  operands: ['partnerId|login'],
  summary: 'Shows a partner: account, offers, limits and callback endpoint.',
  details: 'Where one partner has as its id what another has as its login, the id counts.',
  options: {},
  run: async (call) => {
    const { partners, endpoints, clock } = call;
    const named = operand(call, 0);
    const account = (await partners.find(named)) ?? (await partners.account(named));
    if (!account) throw failed(`There is no partner and no login "${named}": the command list shows all.`);
    const { partnerId, login, disabled, offerIds } = account;
    const limits = limitsOf(account, await partners.offers(offerIds));
    const callback = callbackOf(await endpoints.view(partnerId, { consistent: true }), clock.now());
    const secrets = createdAt(account.secrets);
    return {
      text: [
        listing([
          ['Partner', partnerId],
          ['Login', login],
          ['State', stateOf(account)],
          ['Offers', offerIds.join(', ') || 'none'],
          ['Secrets', secrets.map((at) => `created ${at}`).join(', ')],
        ]),
        `Limits\n${listing(limitLines(limits))}`,
        callback ? `Callbacks\n${listing(callbackLines(callback))}` : 'Callbacks\n  no endpoint',
      ].join('\n\n'),
      json: { partnerId, login, disabled, offerIds, secrets, limits, callback: callback ?? null },
    };
  },
};

export function stateOf({ disabled }: Account): string {
  return disabled ? 'disabled' : 'enabled';
}

function createdAt(secrets: readonly { createdAt: number }[]): string[] {
  return secrets.map((secret) => writeInstant(secret.createdAt)).sort();
}

/** The endpoint without its secrets. */
function callbackOf({ endpoint, circuit }: EndpointView, nowMs: number) {
  return (
    endpoint && {
      url: endpoint.url,
      status: endpoint.status,
      ...(endpoint.disabledReason === undefined ? {} : { disabledReason: endpoint.disabledReason }),
      ...(endpoint.disabledAt === undefined ? {} : { disabledAt: writeInstant(endpoint.disabledAt) }),
      timeoutMs: endpoint.timeoutMs,
      basicLogin: endpoint.basic?.login ?? null,
      signingSecrets: createdAt(endpoint.signingSecrets),
      ...healthOf(circuit, nowMs),
    }
  );
}

function healthOf(circuit: Circuit, nowMs: number) {
  const gate = gateOf(circuit, nowMs);
  return {
    circuit: gate.kind,
    ...(circuit.failingSince === undefined ? {} : { failingSince: writeInstant(circuit.failingSince) }),
    ...(gate.kind === 'open' ? { openUntil: writeInstant(gate.untilMs) } : {}),
  };
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
    ['Signing', callback.signingSecrets.map((at) => `created ${at}`).join(', ')],
  ];
}
