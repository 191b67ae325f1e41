import { readableStack } from '../../shared/platform/logging/readable-stack.ts';

export interface InvocationMessage {
  readonly requestId: string;
  /** JSON text, as Lambda passes it. */
  readonly event: string;
  readonly deadlineMs: number;
}

/** The error a function ended with, in the form that Lambda gives it. */
export interface FunctionFailure {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
}

export function failureOf(error: unknown): FunctionFailure {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  const { name: errorType, message: errorMessage, stack = '' } = error;
  return { errorType, errorMessage, trace: readableStack(stack).split('\n') };
}

/** What a worker sends: first whether it has loaded the function, then the result of each invocation. */
export type WorkerMessage = { readonly payload: string } | { readonly failure: FunctionFailure };
