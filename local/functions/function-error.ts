import { readableStack } from '../../shared/platform/logging/readable-stack.ts';

/** The error a function ended with, in the form that Lambda gives it. */
export type FunctionFailure = {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
};

export function describeFailure(error: unknown): FunctionFailure {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  const { name: errorType, message: errorMessage, stack = '' } = error;
  return { errorType, errorMessage, trace: readableStack(stack).split('\n') };
}

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
