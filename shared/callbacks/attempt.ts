import * as z from 'zod/mini';
import { AttemptError } from '../platform/egress/attempt-result.ts';

/** A stored attempt: without addresses and bodies, except for the beginning of a failed attempt's response. */
export const Attempt = z.object({
  at: z.number(),
  durationMs: z.number(),
  httpStatus: z.optional(z.number()),
  error: z.optional(AttemptError),
  response: z.optional(z.string()),
});
export type Attempt = z.infer<typeof Attempt>;

/**
 * Whether an attempt failed because of us and not of the partner. Our failures return to the queue, so a message in its
 * dead-letter queue is always our failure; a partner's failures are recorded and scheduled, and the message is deleted.
 */
export function isOurFailure(error: AttemptError): boolean {
  return error === 'local';
}
