import type { World } from '../world.ts';
import type { ReceivedCallback } from './partners.ts';
import type { PushRequest, SentContent, ShownMessage } from './push-request.ts';

/** A message as its sender made it. It has no deadline if it must not expire, because its number is not registered. */
export type ExpectedMessage = SentContent & Pick<ShownMessage, 'messageId' | 'msisdn' | 'deliverFrom'>;

/** Returns the messages that are known from responses or, if the sender got none, from the wallet platform. */
export function messagesOf(
  { wallet }: World,
  requests: readonly PushRequest[],
): Map<string, ExpectedMessage> {
  const told = requests.flatMap(({ elements, contents, deliverFrom }) =>
    elements.map(({ messageId, msisdn, state }, n): ExpectedMessage => {
      const content = contents[n] as SentContent;
      const deadline = state === 'MSISDN_NOT_REGISTERED' ? undefined : content.deadline;
      return { ...content, messageId, msisdn, deliverFrom, deadline };
    }),
  );
  return new Map([...wallet.shown.values(), ...told].map((one) => [one.messageId, one]));
}

type Told = Pick<ReceivedCallback, 'webhookId' | 'messageId' | 'msisdn' | 'state' | 'utm'>;

/** Tells whether a callback tells its partner a recorded state, was asked for, and has the number and the utm of its message. */
export function isToldAsSent(
  messages: ReadonlyMap<string, ExpectedMessage>,
  recorded: ReadonlyMap<string, { partnerId: unknown }>,
  { partnerId, webhookId, messageId, state, msisdn, utm }: Told & { partnerId: string },
): boolean {
  if (recorded.get(webhookId)?.partnerId !== partnerId || webhookId !== `${messageId}-${state}`) return false;
  const sent = messages.get(messageId);
  // Nobody knows a message that expired before it was handed over, and whose sender got no response.
  if (!sent) return state === 'EXPIRED';
  return sent.wantsCallbacks && sent.msisdn === msisdn && sent.text === utm?.utmSource;
}
