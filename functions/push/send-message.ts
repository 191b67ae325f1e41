import { partner } from '../../shared/partners/callers.ts';
import { httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { uuidFrom } from '../../shared/platform/runtime/ids.ts';
import { named } from '../../shared/platform/validation/documented.ts';
import { FirstState, firstState } from '../../shared/push/history.ts';
import { SentMessageId } from '../../shared/push/message-id.ts';
import { admit, scheduledFor } from '../../shared/push/sending/admission.ts';
import { asSent, countTowardsRate } from '../../shared/push/sending/push-content.ts';
import { isDryRun, SingleRequest, sendContract } from '../../shared/push/sending/push-request.ts';
import { sendDeps } from '../../shared/push/sending/send-deps.ts';

export const sendMessageOperation = operation({
  id: 'SendMessage',
  contractId: 'C1',
  route: 'POST /push/delivery',
  caller: partner(['messages']),
  ...sendContract,
  body: SingleRequest,
  response: named('SentMessage', { messageId: SentMessageId, state: FirstState }),
  failures: ['REQUEST_INVALID', 'TOO_MANY_REQUESTS'],
  emptyBodyFor: ['REQUEST_INVALID', 'TOO_MANY_REQUESTS', 'REQUEST_LIMIT_EXCEEDED'],
});

/** C1: accepts one message for one recipient. A dry run says whether the recipient is registered. */
export function sendMessage(deps = sendDeps()) {
  return httpHandler(sendMessageOperation, deps, async (call) => {
    const { partnerId, key, requestId, operationToken, repeatOf } = call;
    const { query, body, addFields, addMetrics } = call;
    const { msisdn, dryRun: _asked, ...content } = body;
    const isScheduled = scheduledFor(content) !== undefined;
    const messageId = operationToken === undefined ? deps.ids.uuid() : uuidFrom(operationToken);
    const [sent] = repeatOf ? (await deps.messages.findMany([messageId], deps.clock.now())).values() : [];
    if (sent) {
      addFields({ messageId, repeat: true });
      const state = firstState(sent.registered, isScheduled);
      return ok({ messageId, state }, await deps.currentHeaders(call));
    }
    const admitted = await admit(deps, call, {
      msisdns: [msisdn],
      body: content,
      counts: [countTowardsRate(content)],
      dryRun: isDryRun({ query, body }),
      refusals: { later: 'TOO_MANY_REQUESTS', never: 'TOO_MANY_REQUESTS' },
    });
    if ('failure' in admitted) return admitted;
    const { acceptedAt, headers } = admitted;
    const registered = admitted.registered.has(msisdn);
    if (isDryRun({ query, body })) {
      addFields({ dryRun: true, registered });
      return ok({ state: firstState(registered, isScheduled) }, headers);
    }
    const message = { messageId, partnerId, requestId, msisdn, registered, acceptedAt };
    const stored = await deps.messages.saveSingle({ ...message, content: asSent(content) }, key.login);
    addFields({ messageId, isScheduled, registered: stored.registered });
    addMetrics(stored.registered ? { PushesAccepted: 1 } : { PushesNotRegistered: 1 });
    return ok({ messageId, state: firstState(stored.registered, isScheduled) }, headers);
  });
}
