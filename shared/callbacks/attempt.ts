import * as z from 'zod/mini';
import { AttemptError } from '../platform/egress/attempt-result.ts';

/** What is stored of an attempt: no addresses, and of bodies only how the response of a failed one begins. */
export const Attempt = z.object({
  at: z.number(),
  durationMs: z.number(),
  httpStatus: z.optional(z.number()),
  error: z.optional(AttemptError),
  response: z.optional(z.string()),
});
export type Attempt = z.infer<typeof Attempt>;

/**
 * Decides what happens to the message: a partner's failure is recorded, scheduled and acknowledged; ours returns
 * to the queue (so a message in the dead-letter queue is always our failure); poison is parked with its reason.
 */
export function classifyFailure(
  trouble: AttemptError | 'unreadable' | 'exception',
): 'partner' | 'ours' | 'poison' {
  if (trouble === 'unreadable') return 'poison';
  return trouble === 'local' || trouble === 'exception' ? 'ours' : 'partner';
}
