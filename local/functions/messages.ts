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

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'broken'; readonly failure: FunctionFailure }
  | { readonly kind: 'response'; readonly payload: string }
  | { readonly kind: 'failure'; readonly failure: FunctionFailure };
