import type { FunctionFailure } from './messages.ts';

/** The function ran and failed: it threw, took too long, ended its process, or could not be loaded. */
export class FunctionError extends Error {
  override name = 'FunctionError';
  readonly failure: FunctionFailure;
  readonly requestId: string;

  constructor(failure: FunctionFailure, requestId: string) {
    super(failure.errorMessage);
    this.failure = failure;
    this.requestId = requestId;
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
