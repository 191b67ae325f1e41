import * as z from 'zod/mini';
import { type Failure, fail } from '../http/failures.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Ids, uuidFrom } from '../runtime/ids.ts';
import type { MetricValues } from '../runtime/log.ts';
import { named } from '../validation/documented.ts';
import { FirstState } from './history.ts';
import { bulkIdFrom, messageIdOf } from './message-id.ts';
import type { MessageStore } from './message-store.ts';
import { asSent, Msisdn, type PushContent } from './push-content.ts';
import { defaultPushLimits, type PushLimits } from './push-request.ts';
import { limitSentence, rateHeaders } from './rate-headers.ts';
import type { RateWindow } from './rate-window.ts';
import type { RecipientStore } from './recipient-store.ts';

/** The response of a bulk send: an element for each message, in the order of the request. */
export const BulkResponse = z.array(
  named('SentBulkMessage', { msisdn: Msisdn, messageId: z.uuid(), state: FirstState }),
);
export type BulkResponse = z.infer<typeof BulkResponse>;

export type BulkSender = {
  rate: RateWindow;
  recipients: Pick<RecipientStore, 'registeredAmong'>;
  messages: Pick<MessageStore, 'saveBulk'>;
  ids: Ids;
  clock: Clock;
};

type Send = {
  partnerId: string;
  requestId: string;
  /** Set where a repeat of a request that died must not send again. */
  operationToken: string | undefined;
  limits: PushLimits;
  msisdns: number[];
  /** One for all recipients, or (`each`) one for each. */
  contents: PushContent[];
  each?: boolean;
};

type Sent = { bulkId: string; messages: BulkResponse; registered: number; headers: Record<string, string> };

/** Takes the recipients from the partner's rate limit, all or none, and stores the send, all or nothing. */
export async function sendInBulk(
  { rate, recipients, messages, ids, clock }: BulkSender,
  { partnerId, requestId, operationToken, limits, msisdns, contents, each = false }: Send,
): Promise<Sent | Failure<'RATE_LIMIT_EXCEEDED'>> {
  const verdict = await rate.take(
    partnerId,
    msisdns.length,
    limits.pushesPerMinute ?? defaultPushLimits.pushesPerMinute,
  );
  if (!verdict.allowed)
    return { ...fail('RATE_LIMIT_EXCEEDED', limitSentence(verdict)), ...rateHeaders(verdict) };
  const known = await recipients.registeredAmong([...new Set(msisdns)], partnerId);
  const bulkId = bulkIdFrom(operationToken === undefined ? ids.uuid() : uuidFrom(operationToken));
  await messages.saveBulk({
    bulkId,
    partnerId,
    requestId,
    acceptedAt: clock.now(),
    recipients: msisdns.map((msisdn) => ({ msisdn, registered: known.has(msisdn) })),
    contents: contents.map(asSent),
    each,
  });
  return {
    bulkId,
    registered: msisdns.filter((msisdn) => known.has(msisdn)).length,
    headers: rateHeaders(verdict).headers,
    messages: msisdns.map((msisdn, position) => ({
      msisdn,
      messageId: messageIdOf(bulkId, position),
      state: known.has(msisdn) ? 'ENQUEUED' : 'MSISDN_NOT_REGISTERED',
    })),
  };
}

export function bulkMetrics({ messages, registered }: Sent): MetricValues {
  return { PushesAccepted: registered, PushesNotRegistered: messages.length - registered };
}
