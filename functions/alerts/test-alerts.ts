import { alertsEndpointOf } from '../../shared/callbacks/alerts-endpoint.ts';
import { callbackRequest } from '../../shared/callbacks/callback.ts';
import { isPosted } from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { alertsNotSet } from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { alertTests } from '../../shared/callbacks/limits.ts';
import { CallbackTest, ping } from '../../shared/callbacks/ping.ts';
import { alertBody } from '../../shared/events/alert.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { guardedClient } from '../../shared/platform/egress/guarded-client.ts';
import { addressPolicy } from '../../shared/platform/egress/public-address.ts';
import { isFailure } from '../../shared/platform/http/failures.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';

export const testAlertsOperation = operation({
  id: 'TestAlerts',
  route: 'POST /alerts/test',
  caller: partner([]),
  response: CallbackTest,
  failures: ['ROLE_FORBIDDEN', 'ALERTS_NOT_SET', 'TEST_LIMIT_EXCEEDED'],
});

/** Sends a signed alert that says it is a test, even while alerts are disabled. */
export function testAlerts(deps = connect()) {
  return liveKeyHandler(testAlertsOperation, deps, async ({ partnerId, addFields }) => {
    const { endpoint: to } = await deps.endpoints.view(alertsEndpointOf(partnerId), { consistent: true });
    if (!to || !isPosted(to)) return alertsNotSet;
    const nowMs = deps.clock.now();
    const share = await deps.tests.take(partnerId, 1, nowMs);
    if (isFailure(share)) return share;
    const alert = alertBody(partnerId, { at: nowMs, kind: 'alerts.test', data: {} });
    const ref = { partnerId: to.partnerId, messageId: deps.ids.uuidAt(nowMs), state: 'ALERT' as const };
    return ok(await ping(deps, callbackRequest(to, { ...ref, changedAt: nowMs, alert }, nowMs), addFields));
  });
}

function connect() {
  const deps = httpDeps({ endpoints: endpointStore, tests: alertTests, keys: liveKeys });
  const addresses = addressPolicy(readEnv('CALLBACK_ADDRESSES'));
  return { ...deps, addresses, client: guardedClient(addresses) };
}
