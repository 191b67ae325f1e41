import * as z from 'zod/mini';
import { partner } from '../../shared/partners/callers.ts';
import { httpDeps, httpHandler, ok, operation } from '../../shared/platform/http/http-handler.ts';
import { named } from '../../shared/platform/validation/documented.ts';
import { deliveryStateStore } from '../../shared/push/delivery-state-store.ts';
import { historyTime, orderHistory, PushState } from '../../shared/push/history.ts';
import { MessageId, messageFields, unknownMessage } from '../../shared/push/message-id.ts';
import { messageReader } from '../../shared/push/message-reader.ts';
import { Msisdn } from '../../shared/push/sending/push-content.ts';

const StateChange = named('StateChange', {
  msisdn: Msisdn,
  state: PushState,
  time: z.string().register(z.globalRegistry, {
    description: 'yyyy-MM-ddTHH:mm:ss+0300',
    example: '2026-05-20T15:00:00+0300',
  }),
});

export const getDeliveryHistoryOperation = operation({
  id: 'GetDeliveryHistory',
  contractId: 'C4',
  route: 'GET /push/{messageId}/transactional-state',
  caller: partner(['messages']),
  path: z.object({ messageId: MessageId }),
  response: named('DeliveryHistory', { states: z.array(StateChange) }),
  failures: ['MESSAGE_NOT_FOUND'],
});

/** C4: lists the states of a message in the order of time. */
export function getDeliveryHistory(deps = httpDeps({ messages: messageReader, states: deliveryStateStore })) {
  return httpHandler(getDeliveryHistoryOperation, deps, async (call) => {
    const { partnerId, path, addFields } = call;
    const { messageId } = path;
    addFields(messageFields(messageId));
    const [found, { states, unitMs }] = await Promise.all([
      deps.messages.findMany([messageId], deps.clock.now()),
      deps.states.find({ partnerId, messageId }),
    ]);
    const message = found.get(messageId);
    if (message?.partnerId !== partnerId) return unknownMessage(messageId);
    const { msisdn } = message;
    const history = orderHistory(message, states, unitMs);
    return ok({
      states: history.map(({ state, atMs }) => ({ msisdn, state, time: historyTime(atMs) })),
    });
  });
}
