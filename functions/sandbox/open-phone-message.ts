import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { fail } from '../../shared/platform/http/failures.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { msisdnEnd } from '../../shared/platform/logging/msisdn-end.ts';
import { connectQueue, sendAll } from '../../shared/platform/queues/queue.ts';
import { readEnv } from '../../shared/platform/runtime/env.ts';
import { named } from '../../shared/platform/validation/documented.ts';
import { MessageId, messageFields } from '../../shared/push/message-id.ts';
import type { Receipt } from '../../shared/push/receipt.ts';
import { PhonePath } from '../../shared/sandbox/phone.ts';
import { phoneStore } from '../../shared/sandbox/phone-store.ts';

export const openPhoneMessageOperation = operation({
  id: 'OpenPhoneMessage',
  route: 'POST /sandbox/phones/{msisdn}/messages/{messageId}/open',
  caller: partner(['messages']),
  requests: 4,
  path: z.extend(PhonePath, {
    messageId: MessageId,
  }),
  response: named('OpenedMessage', {
    messageId: z.uuid(),
    state: z.literal('OPENED'),
    openedAt: z.iso.datetime(),
  }),
  failures: ['MESSAGE_NOT_FOUND'],
});

/** Opens a message that a phone shows. Opening it again sends the same receipt again, which changes nothing. */
export function openPhoneMessage(
  deps = { ...httpDeps({ phones: phoneStore }), queue: connectQueue(readEnv('RECEIPTS_QUEUE_URL')) },
) {
  return httpHandler(openPhoneMessageOperation, deps, async ({ partnerId, path, addFields }) => {
    const { msisdn, messageId } = path;
    addFields({ ...messageFields(messageId), msisdnEnd: msisdnEnd(msisdn) });
    const openedAtMs = await deps.phones.open({ partnerId, msisdn }, messageId, deps.clock.now());
    if (openedAtMs === undefined)
      return fail('MESSAGE_NOT_FOUND', `messageId: ${messageId} is not a message that this phone shows`);
    const openedAt = new Date(openedAtMs).toISOString();
    const receipt: Receipt = { messageId, msisdn, state: 'OPENED', time: openedAt };
    await sendAll(deps.queue, [{ body: JSON.stringify({ receipts: [receipt] }) }]);
    return ok({ messageId, state: 'OPENED', openedAt });
  });
}
