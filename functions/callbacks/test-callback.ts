import * as z from 'zod/mini';
import { attemptSentences } from '../../shared/callbacks/attempt-sentences.ts';
import { CallbackState, callbackRequest } from '../../shared/callbacks/callback.ts';
import { isPosted } from '../../shared/callbacks/endpoint/endpoint.ts';
import { endpointIsFeed, endpointNotSet } from '../../shared/callbacks/endpoint/shown.ts';
import { endpointStore } from '../../shared/callbacks/endpoint/store.ts';
import { testMsisdn } from '../../shared/callbacks/examination/checks.ts';
import { callbackTests } from '../../shared/callbacks/limits.ts';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeys } from '../../shared/partners/live-key.ts';
import { refusal } from '../../shared/platform/egress/address-rules.ts';
import type { FailedAttempt } from '../../shared/platform/egress/attempt-result.ts';
import { guardedClient } from '../../shared/platform/egress/guarded-client.ts';
import { addressPolicy } from '../../shared/platform/egress/public-address.ts';
import type { SignedRequest } from '../../shared/platform/egress/signed-request.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { described, named } from '../../shared/platform/validation/documented.ts';

const TestedHeaders = z.record(z.string(), z.string()).register(z.globalRegistry, {
  id: 'TestedHeaders',
  description: 'Names in lower case; authorization is masked',
});

const TestedRequest = named(
  'TestedRequest',
  { headers: TestedHeaders, body: z.string() },
  'What was sent to the endpoint.',
);

export const testCallbackOperation = operation({
  id: 'TestCallback',
  route: 'POST /callbacks/test',
  caller: partner([]),
  body: named('TestCallbackRequest', { state: CallbackState }),
  response: named('CallbackTest', {
    delivered: z.boolean(),
    httpStatus: z.optional(z.int()),
    error: described(z.optional(z.string()), 'Why it was not delivered'),
    response: described(
      z.optional(z.string()),
      'The first 300 characters of the response, if it was not delivered and the response is text',
    ),
    durationMs: z.number(),
    request: TestedRequest,
  }),
  failures: ['ROLE_FORBIDDEN', 'ENDPOINT_NOT_SET', 'ENDPOINT_IS_FEED', 'TEST_LIMIT_EXCEEDED'],
});

/** The gateway waits 30 s for the function, which needs some of this time for itself. */
const longestMs = 25_000;

/** Makes one signed attempt, even while the endpoint is disabled. It causes no retry and does not touch the circuit. */
export function testCallback(deps = connect()) {
  return httpHandler(testCallbackOperation, deps, async ({ partnerId, key, body: { state }, addFields }) => {
    const ended = await deps.keys.refuseEnded(partnerId, key);
    if (ended) return ended;
    const { endpoint: to } = await deps.endpoints.view(partnerId, { consistent: true });
    if (!to) return endpointNotSet;
    if (!isPosted(to)) return endpointIsFeed;
    const nowMs = deps.clock.now();
    const limited = await deps.tests.count(partnerId, nowMs);
    if (limited) return limited;
    const message = { messageId: deps.ids.uuid(), state, msisdn: testMsisdn, changedAt: nowMs };
    const signed = callbackRequest(to, { partnerId, ...message }, nowMs);
    const result = await deps.client.post({ ...signed, timeoutMs: Math.min(signed.timeoutMs, longestMs) });
    const { httpStatus, durationMs } = result;
    addFields({ delivered: result.ok, httpStatus, exchangeMs: durationMs });
    return ok({
      delivered: result.ok,
      httpStatus,
      ...(result.ok ? {} : failureOf(result, refusal(to.url, deps.addresses))),
      durationMs,
      request: shown(signed),
    });
  });
}

function shown({ headers, body }: SignedRequest) {
  const { authorization, ...others } = headers;
  return { headers: { ...others, ...(authorization ? { authorization: 'Basic ***' } : {}) }, body };
}

function failureOf({ error, response }: FailedAttempt, refused: string | undefined) {
  const isRefused = error === 'refused' && refused !== undefined;
  return { error: isRefused ? `refused: the URL ${refused}` : attemptSentences[error], response };
}

function connect() {
  const deps = httpDeps({ endpoints: endpointStore, tests: callbackTests, keys: liveKeys });
  const addresses = addressPolicy(readEnv('CALLBACK_ADDRESSES'));
  return { ...deps, addresses, client: guardedClient(addresses) };
}
