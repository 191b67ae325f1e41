import type { FunctionFailure } from './messages.ts';

/** The function ran and failed: it threw, took too long, ended its process, or could not be loaded. */
export class FunctionError extends Error {
  override name = 'FunctionError';
  readonly errorType: string;
  readonly trace: readonly string[];
  readonly requestId: string;

  constructor(failure: FunctionFailure, requestId: string) {
    super(failure.errorMessage);
    this.errorType = failure.errorType;
    this.trace = failure.trace;
    this.requestId = requestId;
  }

  toFailure(): FunctionFailure {
    return { errorType: this.errorType, errorMessage: this.message, trace: this.trace };
  }
}

/** The function was not run: all of its reserved concurrency is in use. */
export class ThrottledError extends Error {
  override name = 'ThrottledError';

  constructor(functionName: string) {
    super(`Rate exceeded: all of the reserved concurrency of ${functionName} is in use`);
  }
}

/** The function was not run: the event is larger than Lambda takes. */
export class EventTooLargeError extends Error {
  override name = 'EventTooLargeError';

  constructor(maxBytes: number) {
    super(`Request must be smaller than ${maxBytes} bytes for the InvokeFunction operation`);
  }
}
