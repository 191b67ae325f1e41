import * as z from 'zod/mini';
import { described, named } from '../../platform/validation/documented.ts';
import { type HandOverTimes, handedOverAt } from '../hand-over.ts';
import { firstState, type LaterState, type PushState, rank } from '../history.ts';
import type { BulkSend } from '../message-rows.ts';
import type { ReachedState } from '../message-states.ts';
import { isErased, type Recipient } from '../packed-recipients.ts';
import { ContentSummary, summarize } from '../sending/content-summary.ts';
import { SendSpeed } from './send-speed.ts';

/** A CSV of this many recipients takes 5 of the 6 MB of a function's response. */
export const mostCsvRecipients = 30_000;

const { deliverDue, ...shownInList } = ContentSummary.shape;
const time = z.iso.datetime();

/** The members that the list and the report of sends have in common. */
const sendShape = {
  messageId: z.uuid(),
  acceptedAt: time,
  deliverFrom: described(z.optional(time), 'The time for which it was scheduled'),
  cancelledAt: described(
    z.optional(time),
    'When you first asked to take all of it back; not of a single message that was handed over',
  ),
  recipients: described(z.int(), 'How many messages the send has'),
  ...shownInList,
};

/** An element of the list of sends. */
export const ListedSend = named('ListedSend', sendShape);

/** A message counts once, so all counts but `recipients` add up to it. */
export const SendReport = named('SendReport', {
  ...sendShape,
  deliverDue: described(deliverDue, 'The deadline, where all messages have the same'),
  notRegistered: z.int(),
  scheduled: described(z.int(), 'Waiting for `deliverFrom`'),
  enqueued: described(z.int(), 'Neither delivered, opened, expired nor cancelled'),
  delivered: described(z.int(), 'Delivered, neither opened nor cancelled'),
  opened: z.int(),
  expired: described(z.int(), 'Neither delivered nor opened by the deadline, nor reported since'),
  cancelled: described(z.int(), 'Taken back before anybody opened it'),
  erased: described(z.int(), 'Recipients whose number was erased'),
  ...SendSpeed.shape,
});

/** A send, or a single message in the place of one. */
export type ReportedSend = Pick<BulkSend, 'partnerId' | 'count' | 'content' | 'summary' | 'cancelledAt'> &
  HandOverTimes;

/** `messageId` is that of any of its messages. */
export function shownSend(messageId: string, send: ReportedSend) {
  const { acceptedAt, deliverFrom, cancelledAt, count, content, summary } = send;
  return {
    messageId,
    acceptedAt: new Date(acceptedAt).toISOString(),
    deliverFrom: isoTime(deliverFrom),
    cancelledAt: isoTime(cancelledAt),
    recipients: count,
    ...(content ? summarize(content) : summary),
  };
}

function isoTime(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
}

/** A message of a send, and when it reached which state after the first one. */
export type ReportedMessage = Recipient & {
  messageId: string;
  reachedAt: Partial<Record<LaterState, number>>;
};

export function withStates(
  messages: readonly (Recipient & { messageId: string })[],
  states: ReadonlyMap<string, readonly ReachedState[]>,
): ReportedMessage[] {
  return messages.map((message) => ({
    ...message,
    reachedAt: Object.fromEntries(
      (states.get(message.messageId) ?? []).map(({ state, atMs }) => [state, atMs]),
    ),
  }));
}

/** The furthest state that a message of the send has reached; `undefined` if its recipient was erased. */
function furthestState(message: ReportedMessage, send: HandOverTimes): PushState | undefined {
  if (isErased(message)) return undefined;
  const first = firstState(message.registered, handedOverAt(send) === undefined);
  if (!message.registered) return first;
  const states = Object.keys(message.reachedAt) as LaterState[];
  return states.reduce<PushState>((a, b) => (rank[b] > rank[a] ? b : a), first);
}

/** Counts the messages of a report by the furthest state that they have reached. */
export function countMessages(messages: readonly ReportedMessage[], send: HandOverTimes) {
  const byState = Map.groupBy(messages, (message) => furthestState(message, send));
  const count = (state: PushState | undefined) => byState.get(state)?.length ?? 0;
  return {
    notRegistered: count('MSISDN_NOT_REGISTERED'),
    scheduled: count('SCHEDULED'),
    enqueued: count('ENQUEUED'),
    delivered: count('DELIVERED'),
    opened: count('OPENED'),
    expired: count('EXPIRED'),
    cancelled: count('CANCELLED'),
    erased: count(undefined),
  };
}

/**
 * A line for each recipient that was not erased. Formulas cannot be in it: every field is a number, an id, a state, a
 * time of ours or the JSON of the utm, and begins with a digit, a letter, a brace or nothing.
 */
export function reportCsv(messages: readonly ReportedMessage[], send: HandOverTimes, utm?: object): string {
  const ofUtm = utm === undefined ? [] : [`"${JSON.stringify(utm).replaceAll('"', '""')}"`];
  const lines = messages.flatMap((message) => {
    const state = furthestState(message, send);
    if (state === undefined) return [];
    const { msisdn, messageId, reachedAt } = message;
    const { DELIVERED, OPENED, EXPIRED, CANCELLED } = reachedAt;
    const times = [send.acceptedAt, DELIVERED, OPENED, EXPIRED, CANCELLED];
    return [[msisdn, messageId, state, ...times.map(inSeconds), ...ofUtm].join()];
  });
  const columns = 'msisdn,messageId,state,acceptedAt,deliveredAt,openedAt,expiredAt,cancelledAt';
  return [utm === undefined ? columns : `${columns},utm`, ...lines, ''].join('\r\n');
}

/** States of bulk sends are known in whole seconds, so the time of acceptance is written in seconds too. */
function inSeconds(atMs: number | undefined): string {
  return atMs === undefined ? '' : `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
