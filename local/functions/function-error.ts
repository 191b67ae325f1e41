import type { FunctionFailure } from './messages.ts';

/** The function ran and failed: it threw, took too long, or ended its process. */
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
}

/** The function was not run: its reserved concurrency is used up. */
export class ThrottledError extends Error {
  override name = 'ThrottledError';

  constructor(functionName: string) {
    super(`Rate exceeded: the reserved concurrency of ${functionName} is used up`);
  }
}

/** The function was not run: the event is larger than Lambda takes. */
export class EventTooLargeError extends Error {
  override name = 'EventTooLargeError';

  constructor(maxBytes: number) {
    super(`Request must be smaller than ${maxBytes} bytes for the InvokeFunction operation`);
  }
}
