import * as z from 'zod/mini';
import { AttemptError } from '../platform/egress/attempt-result.ts';
import { type Destination, type SignedRequest, signedRequest } from '../platform/egress/signed-request.ts';
import { restoreNumbers } from '../platform/runtime/json-numbers.ts';

/** The states of a message that cause a callback. */
export const CallbackState = z.enum(['DELIVERED', 'OPENED', 'EXPIRED', 'CANCELLED']);
export type CallbackState = z.infer<typeof CallbackState>;

/** Identifies a callback: a message has one for each state. */
export const CallbackRef = z.object({ partnerId: z.string(), messageId: z.string(), state: CallbackState });
export type CallbackRef = z.infer<typeof CallbackRef>;

/** A change of a message's state that the partner is told about. */
export const Callback = z.extend(CallbackRef, {
  msisdn: z.int(),
  /** When the message reached the state, ms. */
  changedAt: z.int(),
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
export function bodyOf({ msisdn, messageId, state, changedAt, utm }: Callback): string {
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
  return `${messageId}-${state}`;
}

export function callbackRequest(to: Destination, callback: Callback, nowMs: number): SignedRequest {
  return signedRequest(to, { id: webhookId(callback), body: bodyOf(callback) }, nowMs);
}
