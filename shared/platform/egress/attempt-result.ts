import * as z from 'zod/mini';

/** How an attempt can fail, named by the step that failed. */
export const AttemptError = z.enum([
  /** The address may not be called at all: scheme, port, credentials, or not public. No socket was opened. */
  'refused',
  'dns',
  /** The name has no IPv4 address, and IPv6 is not reached. */
  'no-ipv4',
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

/** Ends an attempt with one of the failures that are expected. */
export class AttemptFailed extends Error {
  readonly error: AttemptError;
  constructor(error: AttemptError, cause?: unknown) {
    super(error, { cause });
    this.error = error;
  }
}

export type AttemptResult = { ok: true; httpStatus: number; durationMs: number } | FailedAttempt;
export type FailedAttempt = {
  ok: false;
  error: AttemptError;
  durationMs: number;
  httpStatus?: number;
  /** The header as received. */
  retryAfter?: string | undefined;
  /** How a response in text begins. For the partner's eyes alone: it must never be logged. */
  response?: string | undefined;
};
