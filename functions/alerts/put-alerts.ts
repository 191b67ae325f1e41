import * as z from 'zod/mini';
import { alertsEndpointOf, alertsPerSecond } from '../../shared/callbacks/alerts-endpoint.ts';
import { ChosenKinds, PostedEndpoint } from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { setEndpoint } from '../../shared/callbacks/endpoint/settings.ts';
import { ShownAlerts, shownAlerts } from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { ownService } from '../../shared/platform/egress/own-address.ts';
import { addressPolicy } from '../../shared/platform/egress/public-address.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { changeOfSettings } from '../../shared/platform/limits/request-budget.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';

export const putAlertsOperation = operation({
  id: 'PutAlerts',
  route: 'PUT /alerts',
  caller: partner([]),
  requests: changeOfSettings,
  body: named('PutAlertsRequest', {
    url: described(z.string().check(z.maxLength(2_048)), 'https, public, port 443 or from 1024 on'),
    kinds: described(
      z.optional(z.nullable(ChosenKinds)),
      'The kinds of events to send; left out: what failed, was held back or recovered',
    ),
  }),
  response: ShownAlerts,
  secretMembers: ['secret'],
  failures: ['ROLE_FORBIDDEN', 'REQUEST_INVALID'],
});

/** Sets where alerts are posted, and enables them. The code is that of the endpoint. */
export function putAlerts(deps = connect()) {
  return liveKeyHandler(putAlertsOperation, deps, async (call) => {
    const { partnerId, key, body, origin, operationToken, addFields } = call;
    const change = {
      url: body.url,
      kinds: body.kinds ?? null,
      maxPerSecond: alertsPerSecond,
      // Nobody reads a log of delivered alerts.
      log: 'failures' as const,
    };
    // A receiver of the sandbox verifies callbacks, and alerts have other secrets.
    const own = { origins: [origin, ...deps.own.origins], hasReceivers: false };
    const by = { by: key.login, madeBy: operationToken, own, renew: true };
    const saved = await deps.set(alertsEndpointOf(partnerId), change, by);
    if (!('endpoint' in saved)) return fail('REQUEST_INVALID', `url: ${saved.urlRefused}`);
    addFields({ changed: saved.changed });
    return ok({
      ...shownAlerts(PostedEndpoint.parse(saved.endpoint)),
      secret: saved.signingSecret ?? null,
    });
  });
}

function connect() {
  const deps = httpDeps({ endpoints: endpointStore, keys: liveKeys });
  const set = setEndpoint({ ...deps, addresses: addressPolicy(readEnv('CALLBACK_ADDRESSES')) });
  return { ...deps, set, own: ownService() };
}
