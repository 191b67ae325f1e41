import * as z from 'zod/mini';
import { type Failure, fail } from '../../platform/http/failures.ts';
import type { MetricValues } from '../../platform/logging/log.ts';
import type { Clock } from '../../platform/runtime/clock.ts';
import { type Ids, uuidFrom } from '../../platform/runtime/ids.ts';
import { named } from '../../platform/validation/documented.ts';
import { deadlineErrors } from '../deadlines/deadline.ts';
import { FirstState, firstStateOf } from '../history.ts';
import { bulkIdFrom, messageIdOf, SentMessageId } from '../message-id.ts';
import type { MessageStore } from '../message-store.ts';
import type { RecipientStore } from '../recipient-store.ts';
import { asSent, Msisdn, type PushContent } from './push-content.ts';
import { defaultPushLimits, type PushLimits } from './push-request.ts';
import { limitSentence, presentRate, rateHeaders } from './rate-headers.ts';
import type { RateWindow } from './rate-window.ts';

/** The response of a bulk send: an element for each message, in the order of the request. */
export const BulkResponse = z.array(
  named('SentBulkMessage', { msisdn: Msisdn, messageId: SentMessageId, state: FirstState }),
);
export type BulkResponse = z.infer<typeof BulkResponse>;

export type BulkSender = {
  clock: Clock;
  rate: RateWindow;
  recipients: Pick<RecipientStore, 'registeredAmong'>;
  messages: Pick<MessageStore, 'saveBulk' | 'registrationsOf'>;
  ids: Ids;
};

type Send = {
  partnerId: string;
  requestId: string;
  /** Identifies the send if the request has an Idempotency-Key. */
  operationToken: string | undefined;
  /** The same token, if an equal request died that may have stored the send. */
  repeatOf: string | undefined;
  limits: PushLimits;
  msisdns: number[];
  /** One for all recipients, or (`each`) one for each. */
  contents: PushContent[];
  each?: boolean;
  dryRun: boolean;
};

type Sent = {
  /** `undefined` in a dry run. */
  bulkId: string | undefined;
  /** False for a dry run, and for a send that an earlier request stored. */
  isNew: boolean;
  messages: BulkResponse;
  registered: number;
  headers: Record<string, string>;
};

/**
 * Takes the recipients from the partner's rate limit, all or none, and stores the send, all or nothing. A dry run
 * stores nothing, and a repeat of a request that stored its send responds with that send.
 */
export async function sendInBulk(
  { clock, rate, recipients, messages, ids }: BulkSender,
  send: Send,
): Promise<Sent | Failure<'REQUEST_INVALID' | 'RATE_LIMIT_EXCEEDED'>> {
  const { partnerId, requestId, operationToken, limits, msisdns, contents, each = false } = send;
  const bulkId = bulkIdFrom(operationToken === undefined ? ids.uuid() : uuidFrom(operationToken));
  const stored = send.repeatOf && (await messages.registrationsOf(bulkId));
  if (stored) {
    const headers = await presentRate(rate)({ callerId: partnerId, limits });
    return { ...sentTo(msisdns, stored, bulkId), bulkId, isNew: false, headers };
  }
  const errors = deadlineErrors(contents, { nowMs: clock.now(), each });
  if (errors.length > 0) return fail('REQUEST_INVALID', ...errors);
  const limit = limits.pushesPerMinute ?? defaultPushLimits.pushesPerMinute;
  const verdict = await rate.take(partnerId, msisdns.length, limit);
  const { headers } = rateHeaders(verdict);
  if (!verdict.allowed) return { ...fail('RATE_LIMIT_EXCEEDED', limitSentence(verdict)), headers };
  const known = await recipients.registeredAmong([...new Set(msisdns)], partnerId);
  const registrations = msisdns.map((msisdn) => known.has(msisdn));
  if (send.dryRun) return { ...sentTo(msisdns, registrations), bulkId: undefined, isNew: false, headers };
  await messages.saveBulk({
    bulkId,
    partnerId,
    requestId,
    acceptedAt: verdict.atMs,
    recipients: msisdns.map((msisdn) => ({ msisdn, registered: known.has(msisdn) })),
    contents: contents.map(asSent),
    each,
  });
  return { ...sentTo(msisdns, registrations, bulkId), bulkId, isNew: true, headers };
}

/** Whether each number is registered, by its position. */
type Registrations = readonly boolean[];

function sentTo(msisdns: readonly number[], registrations: Registrations, bulkId?: string) {
  const messages = msisdns.map((msisdn, position) => ({
    msisdn,
    ...(bulkId === undefined ? {} : { messageId: messageIdOf(bulkId, position) }),
    state: firstStateOf(registrations[position] ?? false),
  }));
  return { messages, registered: registrations.filter(Boolean).length };
}

/** Only a new send counts. */
export function bulkMetrics({ isNew, messages, registered }: Sent): MetricValues {
  if (!isNew) return {};
  return { PushesAccepted: registered, PushesNotRegistered: messages.length - registered };
}
