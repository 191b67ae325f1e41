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

/** Lambda refuses to run the function: the event is too large, or all of its reserved concurrency is in use. */
export class RefusedInvocationError extends Error {
  override name = 'RefusedInvocationError';
  /** The status with which the gateway responds. */
  readonly gatewayStatus: 413 | 503;

  constructor(gatewayStatus: 413 | 503, message: string) {
    super(message);
    this.gatewayStatus = gatewayStatus;
  }
}
