import * as z from 'zod/mini';
import { AttemptError, type AttemptResult } from '../platform/egress/attempt-result.ts';

/** What is stored of an attempt: no addresses, and of bodies only how the response of a failed one begins. */
export const Attempt = z.object({
  at: z.number(),
  durationMs: z.number(),
  httpStatus: z.optional(z.number()),
  error: z.optional(AttemptError),
  response: z.optional(z.string()),
});
export type Attempt = z.infer<typeof Attempt>;

export function attemptOf(at: number, result: AttemptResult): Attempt {
  const { httpStatus, durationMs } = result;
  const made = { at, durationMs, ...(httpStatus === undefined ? {} : { httpStatus }) };
  if (result.ok) return made;
  const { error, response } = result;
  return { ...made, error, ...(response === undefined ? {} : { response }) };
}

/** What can stop a callback: a failed attempt, a message that cannot be read, an exception. */
type Trouble = AttemptError | 'unreadable' | 'exception';

/**
 * Decides what happens to the message: a partner's failure is recorded, scheduled and acknowledged; ours returns
 * to the queue (so a message in the dead-letter queue is always our failure); poison is parked with its reason.
 */
export function classifyFailure(trouble: Trouble): 'partner' | 'ours' | 'poison' {
  if (trouble === 'unreadable') return 'poison';
  return trouble === 'local' || trouble === 'exception' ? 'ours' : 'partner';
}
