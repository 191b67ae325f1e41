import * as z from 'zod/mini';
import { AttemptError } from '../platform/egress/attempt-result.ts';
import { type Destination, type SignedRequest, signedRequest } from '../platform/egress/signed-request.ts';
import { restoreNumbers } from '../platform/json/numbers.ts';

/** The states of a message that cause a callback. */
export const CallbackState = z.enum(['DELIVERED', 'OPENED', 'EXPIRED', 'CANCELLED']);
export type CallbackState = z.infer<typeof CallbackState>;

/** What a callback is about: a state of a message or, posted to the endpoint of alerts, an event. */
const CallbackSubject = z.enum([...CallbackState.options, 'ALERT']);

/** Identifies a callback: a message has one for each state. The `messageId` of an alert is the id of its event. */
export const CallbackRef = z.object({
  /** The id of the endpoint: the partner's, or the one that `alertsEndpointOf` makes of it. */
  partnerId: z.string(),
  messageId: z.string(),
  state: CallbackSubject,
});
export type CallbackRef = z.infer<typeof CallbackRef>;

/** A change of a message's state, or an event, that the partner is told about. */
export const Callback = z.extend(CallbackRef, {
  /** Absent in an alert. */
  msisdn: z.optional(z.int()),
  /** When the message reached the state, or the event happened, ms. */
  changedAt: z.int(),
  /** The body of an alert. */
  alert: z.optional(z.string()),
  /** The JSON text of the utm object given when the message was sent. */
  utm: z.optional(z.string()),
  requestId: z.optional(z.string()),
});
export type Callback = z.infer<typeof Callback>;

/** A stored attempt: without addresses and bodies, except for the beginning of a failed attempt's response. */
export const Attempt = z.object({
  at: z.number(),
  durationMs: z.number(),
  httpStatus: z.optional(z.number()),
  error: z.optional(AttemptError),
  response: z.optional(z.string()),
});
export type Attempt = z.infer<typeof Attempt>;

/** The body as specification 6 has it: compact JSON, members in this order, time in UTC, utm only when given. */
export function bodyOf({ msisdn, messageId, state, changedAt, utm, alert }: Callback): string {
  if (alert !== undefined) return alert;
  return JSON.stringify({
    msisdn,
    messageId,
    state,
    time: `${new Date(changedAt).toISOString().slice(0, 19)}Z`,
    ...(utm === undefined ? {} : { utm: restoreNumbers(JSON.parse(utm), utm) }),
  });
}

/** The utm object of a message's content, as callbacks carry it. */
export function utmText({ utm }: { utm?: unknown }): string | undefined {
  return utm === undefined ? undefined : JSON.stringify(utm);
}

/** `webhook-id` is the same at every attempt of a callback, so that a partner can drop repeats. */
export function webhookId({ messageId, state }: CallbackRef): string {
  return state === 'ALERT' ? messageId : `${messageId}-${state}`;
}

export function callbackRequest(to: Destination, callback: Callback, nowMs: number): SignedRequest {
  return signedRequest(to, { id: webhookId(callback), body: bodyOf(callback) }, nowMs);
}
