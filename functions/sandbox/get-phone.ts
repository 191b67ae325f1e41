import type * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { msisdnEnd } from '../../shared/platform/logging/msisdn-end.ts';
import { stageRecipients } from '../../shared/push/recipient-store.ts';
import { Phone, PhonePath } from '../../shared/sandbox/phone.ts';
import { phoneStore, type ShownMessage } from '../../shared/sandbox/phone-store.ts';

export const getPhoneOperation = operation({
  id: 'GetPhone',
  route: 'GET /sandbox/phones/{msisdn}',
  caller: partner(['messages']),
  requests: 4,
  path: PhonePath,
  response: Phone,
});

/** Whether messages of the partner reach a phone, and what it shows. */
export function getPhone(deps = httpDeps({ phones: phoneStore, recipients: stageRecipients })) {
  return httpHandler(getPhoneOperation, deps, async ({ partnerId, path: { msisdn }, addFields }) => {
    addFields({ msisdnEnd: msisdnEnd(msisdn) });
    const nowMs = deps.clock.now();
    const [registered, shown] = await Promise.all([
      deps.recipients.registeredAmong([msisdn], partnerId),
      deps.phones.shown(partnerId, msisdn, nowMs),
    ]);
    const messages = shown.map((message) => notification(message, { sender: partnerId, nowMs }));
    return ok({ msisdn, registered: registered.has(msisdn), messages });
  });
}

function notification(
  { messageId, acceptedAt, deliveredAt, openedAt, content }: ShownMessage,
  { sender, nowMs }: { sender: string; nowMs: number },
): z.input<typeof Phone>['messages'][number] {
  const { pushType, payload, utm } = content;
  const isOpened = openedAt !== undefined && openedAt <= nowMs;
  return {
    messageId,
    state: isOpened ? 'OPENED' : 'DELIVERED',
    sender,
    pushType,
    payload,
    ...(utm ? { utm } : {}),
    acceptedAt: new Date(acceptedAt).toISOString(),
    deliveredAt: new Date(deliveredAt).toISOString(),
    ...(isOpened ? { openedAt: new Date(openedAt).toISOString() } : {}),
  };
}
