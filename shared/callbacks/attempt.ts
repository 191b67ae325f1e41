import * as z from 'zod/mini';

/** How an attempt can fail, named by the step that failed. */
export const AttemptError = z.enum([
  /** The address may not be called at all: scheme, port, credentials, or not public. No socket was opened. */
  'refused',
  'dns',
  'connect',
  'tls',
  /** The whole exchange took too long. */
  'timeout',
  /** The response was not HTTP, or ended before its status. */
  'response',
  /** The status is not 2xx. */
  'status',
  /** This machine had no free socket: not the partner's failure. */
  'local',
]);
export type AttemptError = z.infer<typeof AttemptError>;

export type AttemptResult = { ok: true; httpStatus: number; durationMs: number } | FailedAttempt;
export type FailedAttempt = {
  ok: false;
  error: AttemptError;
  durationMs: number;
  httpStatus?: number;
  /** The header as received. */
  retryAfter?: string;
};

/** What is stored of an attempt: no bodies, no addresses. */
export const Attempt = z.object({
  at: z.number(),
  durationMs: z.number(),
  httpStatus: z.optional(z.number()),
  error: z.optional(AttemptError),
});
export type Attempt = z.infer<typeof Attempt>;

export function attemptOf(at: number, result: AttemptResult): Attempt {
  return {
    at,
    durationMs: result.durationMs,
    ...(result.httpStatus === undefined ? {} : { httpStatus: result.httpStatus }),
    ...(result.ok ? {} : { error: result.error }),
  };
}
