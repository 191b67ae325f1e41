import { CallbackState, callbackRequest } from '../../shared/callbacks/callback.ts';
import { isPosted } from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/endpoint-store.ts';
import { endpointIsFeed, endpointNotSet } from '../../shared/callbacks/endpoint/shown-endpoint.ts';
import { testMsisdn } from '../../shared/callbacks/examination/checks.ts';
import { callbackTests } from '../../shared/callbacks/limits.ts';
import { CallbackTest, ping } from '../../shared/callbacks/ping.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { guardedClient } from '../../shared/platform/egress/guarded-client.ts';
import { addressPolicy } from '../../shared/platform/egress/public-address.ts';
import { isFailure } from '../../shared/platform/http/failures.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { named } from '../../shared/platform/validation/documented.ts';

export const testCallbackOperation = operation({
  id: 'TestCallback',
  route: 'POST /callbacks/test',
  caller: partner([]),
  body: named('TestCallbackRequest', { state: CallbackState }),
  response: CallbackTest,
  failures: ['ROLE_FORBIDDEN', 'ENDPOINT_NOT_SET', 'ENDPOINT_IS_FEED', 'TEST_LIMIT_EXCEEDED'],
});

/** Makes one signed attempt, even while the endpoint is disabled. */
export function testCallback(deps = connect()) {
  return liveKeyHandler(testCallbackOperation, deps, async ({ partnerId, body: { state }, addFields }) => {
    const { endpoint: to } = await deps.endpoints.view(partnerId, { consistent: true });
    if (!to) return endpointNotSet;
    if (!isPosted(to)) return endpointIsFeed;
    const nowMs = deps.clock.now();
    const share = await deps.tests.take(partnerId, 1, nowMs);
    if (isFailure(share)) return share;
    const message = { messageId: deps.ids.uuid(), state, msisdn: testMsisdn, changedAt: nowMs };
    return ok(await ping(deps, callbackRequest(to, { partnerId, ...message }, nowMs), addFields));
  });
}

function connect() {
  const deps = httpDeps({ endpoints: endpointStore, tests: callbackTests, keys: liveKeys });
  const addresses = addressPolicy(readEnv('CALLBACK_ADDRESSES'));
  return { ...deps, addresses, client: guardedClient(addresses) };
}
