import * as z from 'zod/mini';
import { type Failure, fail } from '../../platform/http/failures.ts';
import type { Call, Operation } from '../../platform/http/operation.ts';
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

/** The request, with the agreed limits of its partner. */
type BulkCall = Pick<
  Call<Operation>,
  'callerId' | 'requestId' | 'operationToken' | 'repeatOf' | 'addFields' | 'addMetrics'
> & { limits: PushLimits };

type Bulk = {
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

type Refusal = Failure<'REQUEST_INVALID' | 'RATE_LIMIT_EXCEEDED'>;

/**
 * Takes the recipients from the partner's rate limit, all or none, and stores the send, all or nothing. A dry run
 * stores nothing, and a repeat of a request that stored its send responds with that send.
 */
export async function sendInBulk(deps: BulkSender, call: BulkCall, bulk: Bulk): Promise<Sent | Refusal> {
  const sent = await send(deps, call, bulk);
  if ('failure' in sent) return sent;
  const { bulkId, isNew, messages, registered } = sent;
  call.addFields({ bulkId, dryRun: bulk.dryRun, isNew, registered });
  // Only a new send counts.
  if (isNew)
    call.addMetrics({ PushesAccepted: registered, PushesNotRegistered: messages.length - registered });
  return sent;
}

async function send(
  { clock, rate, recipients, messages, ids }: BulkSender,
  { callerId: partnerId, requestId, operationToken, repeatOf, limits }: BulkCall,
  { msisdns, contents, each = false, dryRun }: Bulk,
): Promise<Sent | Refusal> {
  const bulkId = bulkIdFrom(operationToken === undefined ? ids.uuid() : uuidFrom(operationToken));
  const stored = repeatOf && (await messages.registrationsOf(bulkId));
  if (stored) {
    const headers = await presentRate(rate)({ callerId: partnerId, limits });
    return { ...sentTo(msisdns, stored, bulkId), bulkId, isNew: false, headers };
  }
  const errors = deadlineErrors(each ? contents : contents[0], clock.now());
  if (errors.length > 0) return fail('REQUEST_INVALID', ...errors);
  const limit = limits.pushesPerMinute ?? defaultPushLimits.pushesPerMinute;
  const verdict = await rate.take(partnerId, msisdns.length, limit);
  const { headers } = rateHeaders(verdict);
  if (!verdict.allowed) return { ...fail('RATE_LIMIT_EXCEEDED', limitSentence(verdict)), headers };
  const known = await recipients.registeredAmong([...new Set(msisdns)], partnerId);
  const registrations = msisdns.map((msisdn) => known.has(msisdn));
  if (dryRun) return { ...sentTo(msisdns, registrations), bulkId: undefined, isNew: false, headers };
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
