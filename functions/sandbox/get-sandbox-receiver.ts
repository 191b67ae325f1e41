import { partner } from '../../shared/partners/callers.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { receiverStore } from '../../shared/sandbox/receiver-store.ts';
import { ReceiverView, shownReceiver } from '../../shared/sandbox/shown-receiver.ts';

export const getSandboxReceiverOperation = operation({
  id: 'GetSandboxReceiver',
  route: 'GET /sandbox/callbacks',
  caller: partner([]),
  requests: 4,
  response: ReceiverView,
});

/** The partner's receiver, made at the first look, and what it has taken. */
export function getSandboxReceiver(deps = httpDeps({ receivers: receiverStore })) {
  return httpHandler(getSandboxReceiverOperation, deps, async ({ partnerId, origin }) => {
    const nowMs = deps.clock.now();
    const newToken = `${partnerId}.${deps.ids.token(32)}`;
    const receiver = await deps.receivers.ofPartner(partnerId, newToken, nowMs);
    return ok(shownReceiver(receiver, await deps.receivers.received(partnerId, nowMs), origin));
  });
}
