import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { liveKeyHandler, liveKeys } from '../../shared/partners/live-key.ts';
import { httpDeps, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { ReceiverAnswer } from '../../shared/sandbox/receiver.ts';
import { receiverStore } from '../../shared/sandbox/receiver-store.ts';
import { ReceiverView, shownReceiver } from '../../shared/sandbox/shown-receiver.ts';

export const putSandboxReceiverOperation = operation({
  id: 'PutSandboxReceiver',
  route: 'PUT /sandbox/callbacks',
  caller: partner([]),
  requests: 20,
  body: z.extend(ReceiverAnswer, {}).register(z.globalRegistry, { id: 'PutSandboxReceiverRequest' }),
  response: ReceiverView,
  failures: ['ROLE_FORBIDDEN'],
});

/** Sets how the partner's receiver responds to callbacks with a valid signature. */
export function putSandboxReceiver(deps = httpDeps({ receivers: receiverStore, keys: liveKeys })) {
  return liveKeyHandler(putSandboxReceiverOperation, deps, async ({ partnerId, origin, body, addFields }) => {
    addFields({ ...body });
    const nowMs = deps.clock.now();
    const newToken = `${partnerId}.${deps.ids.token(32)}`;
    const receiver = await deps.receivers.setAnswer(partnerId, { newToken, nowMs, answer: body });
    return ok(shownReceiver(receiver, await deps.receivers.received(partnerId, nowMs), origin));
  });
}
