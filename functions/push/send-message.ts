import * as z from 'zod/mini';
import { type EndpointDeps, endpoint } from '../../shared/http/endpoint.ts';
import { fail } from '../../shared/http/failures.ts';
import { ok, operation } from '../../shared/http/operation.ts';
import { partner } from '../../shared/partners/callers.ts';
import { FirstState } from '../../shared/push/history.ts';
import type { MessageStore } from '../../shared/push/message-store.ts';
import { asSent } from '../../shared/push/push-content.ts';
import { checkContent, defaultPushLimits, passedOn, SingleRequest } from '../../shared/push/push-request.ts';
import { limitSentence, presentRate, rateHeaders } from '../../shared/push/rate-headers.ts';
import type { RateWindow } from '../../shared/push/rate-window.ts';
import type { RecipientStore } from '../../shared/push/recipient-store.ts';
import { type Ids, uuidFrom } from '../../shared/runtime/ids.ts';
import { named } from '../../shared/validation/documented.ts';

export const sendMessageOperation = operation({
  id: 'SendMessage',
  route: 'POST /push/delivery',
  caller: partner(['messages']),
  body: SingleRequest,
  passedOn,
  checkPassedOn: checkContent,
  response: named('SentMessage', { messageId: z.uuid(), state: FirstState }),
  failures: ['TOO_MANY_REQUESTS'],
  emptyBodyFor: ['REQUEST_INVALID', 'TOO_MANY_REQUESTS'],
});

type Deps = EndpointDeps & {
  rate: RateWindow;
  recipients: Pick<RecipientStore, 'registeredAmong'>;
  messages: Pick<MessageStore, 'saveSingle'>;
  ids: Ids;
};

/** C1: accepts one message for one recipient. */
export function sendMessage(deps: Deps) {
  return endpoint(
    sendMessageOperation,
    deps,
    async ({ callerId, requestId, operationToken, limits, body, addFields, addMetrics }) => {
      const { msisdn, ...content } = body;
      const verdict = await deps.rate.take(
        callerId,
        1,
        limits.pushesPerMinute ?? defaultPushLimits.pushesPerMinute,
      );
      if (!verdict.allowed)
        return { ...fail('TOO_MANY_REQUESTS', limitSentence(verdict)), ...rateHeaders(verdict) };
      const registered = (await deps.recipients.registeredAmong([msisdn], callerId)).has(msisdn);
      const messageId = operationToken === undefined ? deps.ids.uuid() : uuidFrom(operationToken);
      await deps.messages.saveSingle({
        messageId,
        partnerId: callerId,
        requestId,
        msisdn,
        registered,
        content: asSent(content),
        acceptedAt: deps.clock.now(),
      });
      addFields({ messageId, registered });
      addMetrics(registered ? { PushesAccepted: 1 } : { PushesNotRegistered: 1 });
      const state = registered ? 'ENQUEUED' : 'MSISDN_NOT_REGISTERED';
      return ok({ messageId, state }, rateHeaders(verdict).headers);
    },
    { presentHeaders: presentRate(deps.rate) },
  );
}
