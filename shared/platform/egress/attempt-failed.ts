import type { AttemptError } from './attempt-result.ts';

/** Ends an attempt with one of the failures that are expected. */
export class AttemptFailed extends Error {
  readonly error: AttemptError;
  constructor(error: AttemptError, cause?: unknown) {
    super(error, { cause });
    this.error = error;
  }
}
