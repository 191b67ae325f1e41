import * as z from 'zod/mini';

/** How an attempt can fail, named by when it failed. */
export const AttemptError = z.enum([
  /** The address may not be called at all: scheme, port, credentials, or not public. No socket was opened. */
  'refused',
  'dns',
  'connect',
  'tls',
  /** The whole exchange took too long. */
  'timeout',
  /** The answer was no HTTP, or broke off before its status. */
  'response',
  /** Answered, but not 2xx. */
  'status',
  /** This machine had no socket to give: says nothing about the partner. */
  'local',
]);
export type AttemptError = z.infer<typeof AttemptError>;

export type AttemptResult =
  | { ok: true; httpStatus: number; durationMs: number }
  | {
      ok: false;
      error: AttemptError;
      durationMs: number;
      httpStatus?: number;
      /** The header as it came. */
      retryAfter?: string;
    };

/** What is kept of an attempt: no bodies, no addresses. */
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
