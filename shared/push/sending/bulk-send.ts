import * as z from 'zod/mini';
import type { Call, Operation } from '../../platform/http/operation.ts';
import { type Budget, changeOfPlannedSend } from '../../platform/limits/request-budget.ts';
import { minutes } from '../../platform/runtime/clock.ts';
import { type Ids, uuidFrom } from '../../platform/runtime/ids.ts';
import { named } from '../../platform/validation/documented.ts';
import { deadlineOf } from '../deadlines/deadline.ts';
import { handedOverAt } from '../hand-over.ts';
import { FirstState, firstState } from '../history.ts';
import { bulkIdFrom, bulkMessageId, isSingle, SentMessageId } from '../message-id.ts';
import type { BulkSend, StoredMessage } from '../message-rows.ts';
import type { MessageStore } from '../message-store.ts';
import { type AdmissionDeps, admit, type presentRate, scheduledFor } from './admission.ts';
import { asSent, countTowardsRate, Msisdn, type PushContent } from './push-content.ts';
import { type PushLimits, sendContract } from './push-request.ts';

/** The parts of the contract that C2 and C3 share. The response has an element for each message, in the order of the request. */
export const bulkContract = {
  ...sendContract,
  budget: 'heavy',
  response: z.array(
    named('SentBulkMessage', { msisdn: Msisdn, messageId: SentMessageId, state: FirstState }),
  ),
  failures: ['REQUEST_INVALID', 'BATCH_SIZE_EXCEEDED', 'RATE_LIMIT_EXCEEDED', 'REQUEST_LIMIT_EXCEEDED'],
  unexpectedFailure: 'PROCESSING_FAILED',
  overBudgetStatus: 503,
} as const;

type Deps = AdmissionDeps & {
  messages: Pick<MessageStore, 'saveBulk' | 'findSends' | 'readRecipients'>;
  ids: Ids;
  currentHeaders: ReturnType<typeof presentRate>;
};

/** The request, with the agreed limits of its partner. */
type BulkCall = Pick<
  Call<Operation>,
  'requestId' | 'operationToken' | 'repeatOf' | 'takeFrom' | 'addFields' | 'addMetrics'
> & { partnerId: string; key: { login: string }; limits: PushLimits };

/** A scheduled send counts as a request for each started 1,000 recipients, because its work comes later. */
const recipientsOfRequest = 1_000;
/** So does taking back a send for each started 10,000 recipients: it may be urgent. */
const cancelledOfRequest = 10_000;

/** A send counts as a request for each started 20 minutes in which messages end: those of a minute end together. */
const endsOfRequest = 20;

type Bulk = {
  msisdns: number[];
  /** One content for all recipients, or (`each`) one for each. */
  contents: PushContent[];
  each?: boolean;
  dryRun: boolean;
};

/**
 * Takes the recipients from the partner's rate limit, all or none, and stores the send, all or nothing. A dry run
 * stores nothing, and a repeat of a request that stored its send responds with that send.
 */
export async function sendInBulk(
  deps: Deps,
  call: BulkCall,
  { msisdns, contents, each = false, dryRun }: Bulk,
) {
  const { messages, ids } = deps;
  const { partnerId, requestId, operationToken, addFields, addMetrics } = call;
  const isScheduled = scheduledFor(contents) !== undefined;
  const bulkId = bulkIdFrom(operationToken === undefined ? ids.uuid() : uuidFrom(operationToken));
  const earlier = call.repeatOf && (await messages.findSends([bulkId])).get(bulkId);
  if (earlier && 'bulkId' in earlier) {
    const stored = (await messages.readRecipients(earlier)).map(({ registered }) => registered);
    addFields({ bulkId, dryRun, isNew: false, registered: countRegistered(stored) });
    const response = responseTo(msisdns, stored, { bulkId, isScheduled });
    return { messages: response, headers: await deps.currentHeaders(call) };
  }
  const overBudget = await call.takeFrom('heavy', requestsIn(contents, isScheduled ? msisdns.length : 0) - 1);
  if (overBudget) return overBudget;
  const admitted = await admit(deps, call, {
    msisdns,
    body: each ? contents : (contents[0] as PushContent),
    // A content that all recipients share is stored once, so only the recipients count.
    ...(each ? { counts: contents.map(countTowardsRate) } : {}),
    dryRun,
    refusals: { later: 'RATE_LIMIT_EXCEEDED', never: 'BATCH_SIZE_EXCEEDED' },
  });
  if ('failure' in admitted) return admitted;
  const { acceptedAt, headers } = admitted;
  const recipients = msisdns.map((msisdn) => ({ msisdn, registered: admitted.registered.has(msisdn) }));
  if (dryRun) {
    const registrations = recipients.map(({ registered }) => registered);
    addFields({ dryRun, isNew: false, registered: countRegistered(registrations) });
    return { messages: responseTo(msisdns, registrations, { isScheduled }), headers };
  }
  const accepted = { bulkId, partnerId, requestId, acceptedAt, recipients };
  const send = { ...accepted, contents: contents.map(asSent), each };
  const registrations = await messages.saveBulk(send, call.key.login);
  const registered = countRegistered(registrations);
  addFields({ bulkId, dryRun, isNew: true, isScheduled, registered });
  addMetrics({ PushesAccepted: registered, PushesNotRegistered: msisdns.length - registered });
  return { messages: responseTo(msisdns, registrations, { bulkId, isScheduled }), headers };
}

/** How many requests a send counts as. The rate of this minute does not limit a scheduled one, which reads as much now. */
function requestsIn(contents: readonly PushContent[], scheduledRecipients: number): number {
  const ends = new Set(contents.map((content) => Math.floor((deadlineOf(content) ?? 0) / minutes(1))));
  return Math.max(
    1,
    Math.ceil(scheduledRecipients / recipientsOfRequest),
    Math.ceil(ends.size / endsOfRequest),
  );
}

/** Returns the budget from which a cancellation is taken, and how many more requests it counts as. */
export function budgetToCancel(target: BulkSend | StoredMessage): [budget: Budget, requests: number] {
  if ('bulkId' in target)
    return ['heavy', target.cancelledAt === undefined ? Math.ceil(target.count / cancelledOfRequest) : 0];
  const isOfPlanned = !isSingle(target.messageId) && handedOverAt(target) === undefined;
  return ['others', isOfPlanned ? changeOfPlannedSend - 1 : 0];
}

/** Whether each recipient is registered, by its position. */
type Registrations = readonly boolean[];

function countRegistered(registrations: Registrations): number {
  return registrations.filter(Boolean).length;
}

function responseTo(
  msisdns: readonly number[],
  registrations: Registrations,
  { bulkId, isScheduled }: { bulkId?: string; isScheduled: boolean },
) {
  return msisdns.map((msisdn, position) => ({
    msisdn,
    ...(bulkId === undefined ? {} : { messageId: bulkMessageId(bulkId, position) }),
    state: firstState(registrations[position] ?? false, isScheduled),
  }));
}
