import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { fail, isFailure } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { type GatewayEvent, unauthenticated } from '../../shared/platform/http/operation.ts';
import { readBody } from '../../shared/platform/http/request-body.ts';
import { named } from '../../shared/platform/validation/documented.ts';
import { text } from '../../shared/platform/validation/text.ts';
import { isSameToken, ownerOfToken, verifies } from '../../shared/sandbox/receiver.ts';
import { receiverStore } from '../../shared/sandbox/receiver-store.ts';

export const takeSandboxCallbackOperation = operation({
  id: 'TakeSandboxCallback',
  route: 'POST /sandbox/callbacks/{token}',
  caller: unauthenticated,
  path: z.object({ token: text(1, 256) }),
  response: named('TakenCallback', { verified: z.literal(true) }),
  failures: ['RECEIVER_NOT_FOUND', 'SIGNATURE_INVALID', 'RECEIVER_GONE', 'RECEIVER_UNAVAILABLE'],
});

/** Ours have a `utm` of less than 4,096 bytes, and less than 200 besides. */
const callbackBody = { receivedBytes: 4_300, gunzippedBytes: 4_300 };

const noReceiver = fail('RECEIVER_NOT_FOUND', 'token: is not that of a receiver');
const unverified = fail('SIGNATURE_INVALID', 'webhook-signature: is not one of this endpoint and body');
const requested = {
  410: fail('RECEIVER_GONE', 'callbacks: this receiver was set to answer 410'),
  503: fail('RECEIVER_UNAVAILABLE', 'callbacks: this receiver was set to answer 503'),
};

/**
 * A partner's own receiver of callbacks. It stores callbacks whose signature is valid, and responds as the partner set
 * it to. Other requests get their response at once, whatever delay is set.
 */
export function takeSandboxCallback(deps = connect()) {
  return httpHandler(takeSandboxCallbackOperation, deps, async (call) => {
    const { path, event, addFields } = call;
    const { token } = path;
    const partnerId = ownerOfToken(token);
    if (partnerId === undefined) return noReceiver;
    const nowMs = deps.clock.now();
    const { receiver, endpoint: to } = await deps.receivers.withEndpoint(partnerId, nowMs);
    if (!receiver || !isSameToken(receiver.token, token)) return noReceiver;
    addFields({ partnerId });
    const sent = await readBody(event, callbackBody);
    const secrets = to?.signingSecrets.map(({ secret }) => secret) ?? [];
    if (isFailure(sent) || !verifies(secrets, { body: sent.text, headers: event.headers })) {
      await deps.receivers.refuse(partnerId);
      return unverified;
    }
    const callback = { receivedAt: nowMs, headers: shownHeaders(event), body: sent.text };
    const { status, delaySeconds } = await deps.receivers.take(partnerId, receiver, callback);
    addFields({ answered: status, delaySeconds });
    if (delaySeconds > 0) await deps.waitSeconds(delaySeconds);
    return status === 410 || status === 503 ? requested[status] : ok({ verified: true });
  });
}

const shown = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'user-agent', 'content-type'];

/** A hundred callbacks fit into a response, whatever their headers hold. Ours have less than 200 characters. */
const mostShown = 500;

function shownHeaders({ headers }: GatewayEvent): Record<string, string> {
  return Object.fromEntries(
    shown.flatMap((name) => (headers[name] ? [[name, headers[name].slice(0, mostShown)]] : [])),
  );
}

function connect() {
  const waitSeconds = (seconds: number): Promise<void> => delay(seconds * 1_000);
  return { ...httpDeps({ receivers: receiverStore }), waitSeconds };
}
