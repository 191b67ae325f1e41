import { partner } from '../../shared/partners/callers.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { uuidFrom } from '../../shared/platform/runtime/ids.ts';
import { named } from '../../shared/platform/validation/documented.ts';
import { deadlineErrors, deadlineIssues } from '../../shared/push/deadlines/deadline.ts';
import { FirstState, firstStateOf } from '../../shared/push/history.ts';
import { SentMessageId } from '../../shared/push/message-id.ts';
import { messageStore } from '../../shared/push/message-store.ts';
import { asSent } from '../../shared/push/sending/push-content.ts';
import {
  checkContent,
  defaultPushLimits,
  isDryRun,
  passedOn,
  SendQuery,
  SingleRequest,
} from '../../shared/push/sending/push-request.ts';
import { limitSentence, presentRate, rateHeaders } from '../../shared/push/sending/rate-headers.ts';
import { rateWindow } from '../../shared/push/sending/rate-window.ts';
import { stageRecipients } from '../../shared/sandbox/stage-recipients.ts';

export const sendMessageOperation = operation({
  id: 'SendMessage',
  route: 'POST /push/delivery',
  caller: partner(['messages']),
  query: SendQuery,
  body: SingleRequest,
  isDryRun,
  passedOn,
  checkPassedOn: checkContent,
  foundLater: deadlineIssues,
  response: named('SentMessage', { messageId: SentMessageId, state: FirstState }),
  failures: ['REQUEST_INVALID', 'TOO_MANY_REQUESTS'],
  emptyBodyFor: ['REQUEST_INVALID', 'TOO_MANY_REQUESTS'],
});

/** C1: accepts one message for one recipient, or says in a dry run whether it would reach it. */
export function sendMessage(
  deps = httpDeps({ messages: messageStore, rate: rateWindow, recipients: stageRecipients }),
) {
  const currentRate = presentRate(deps.rate);
  return httpHandler(
    sendMessageOperation,
    deps,
    async ({ callerId, requestId, operationToken, repeatOf, limits, query, body, addFields, addMetrics }) => {
      const { msisdn, dryRun: _asked, ...content } = body;
      const messageId = operationToken === undefined ? deps.ids.uuid() : uuidFrom(operationToken);
      const [sent] = repeatOf ? (await deps.messages.findMany([messageId], deps.clock.now())).values() : [];
      if (sent) {
        addFields({ messageId, repeat: true });
        const headers = await currentRate({ callerId, limits });
        return ok({ messageId, state: firstStateOf(sent.registered) }, headers);
      }
      const errors = deadlineErrors(content, deps.clock.now());
      if (errors.length > 0) return fail('REQUEST_INVALID', ...errors);
      const limit = limits.pushesPerMinute ?? defaultPushLimits.pushesPerMinute;
      const verdict = await deps.rate.take(callerId, 1, limit);
      if (!verdict.allowed)
        return { ...fail('TOO_MANY_REQUESTS', limitSentence(verdict)), ...rateHeaders(verdict) };
      const registered = (await deps.recipients.registeredAmong([msisdn], callerId)).has(msisdn);
      const state = firstStateOf(registered);
      const { headers } = rateHeaders(verdict);
      if (isDryRun({ query, body })) {
        addFields({ dryRun: true, registered });
        return ok({ state }, headers);
      }
      await deps.messages.saveSingle({
        messageId,
        partnerId: callerId,
        requestId,
        msisdn,
        registered,
        content: asSent(content),
        acceptedAt: verdict.atMs,
      });
      addFields({ messageId, registered });
      addMetrics(registered ? { PushesAccepted: 1 } : { PushesNotRegistered: 1 });
      return ok({ messageId, state }, headers);
    },
    { currentHeaders: currentRate },
  );
}
