/** Every expected failure of the HTTP API and its status. */
export const failureStatus = {
  REQUEST_INVALID: 400,
  ROLE_FORBIDDEN: 403,
  OFFER_FORBIDDEN: 403,
  PLACE_FORBIDDEN: 403,
  OFFER_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  PLACE_NOT_FOUND: 404,
  CHECKIN_NOT_FOUND: 404,
  PROMO_NOT_FOUND: 404,
  NO_ACTIVE_PROMOTIONS: 404,
  KEY_NOT_FOUND: 404,
  ENDPOINT_NOT_SET: 404,
  ALERTS_NOT_SET: 404,
  ENDPOINT_DISABLED: 409,
  ENDPOINT_IS_FEED: 409,
  KEY_LIMIT_EXCEEDED: 409,
  PROMO_LIMIT_EXCEEDED: 409,
  LAST_FULL_KEY: 409,
  TWO_SECRETS_ALREADY: 409,
  ONE_SECRET_ONLY: 409,
  SECRET_IN_USE: 409,
  PHONE_LIMIT_EXCEEDED: 409,
  CHANGED_MEANWHILE: 409,
  CHECKIN_NOT_ACTIVE: 409,
  CHECKIN_MISMATCH: 409,
  REQUEST_IN_PROGRESS: 409,
  BODY_TOO_LARGE: 413,
  REPORT_TOO_LARGE: 413,
  CHARSET_UNSUPPORTED: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  MESSAGE_NOT_FOUND: 404,
  RECEIVER_NOT_FOUND: 404,
  SIGNATURE_INVALID: 400,
  RECEIVER_GONE: 410,
  RECEIVER_UNAVAILABLE: 503,
  TOO_MANY_REQUESTS: 429,
  REQUEST_LIMIT_EXCEEDED: 429,
  TEST_LIMIT_EXCEEDED: 429,
  REPLAY_LIMIT_EXCEEDED: 429,
  REPORT_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SYNC_UNAVAILABLE: 503,
  PLACE_FULL: 503,
  BATCH_SIZE_EXCEEDED: 503,
  RATE_LIMIT_EXCEEDED: 503,
  PROCESSING_FAILED: 503,
} as const satisfies Record<string, number>;

export type FailureCode = keyof typeof failureStatus;

/**
 * A partner causes these itself, `PLACE_FULL` on the sandbox. Where the contract, or its receiver, has 503 for them, the
 * service has not failed.
 */
export const causedByPartner: ReadonlySet<string> = new Set([
  'REQUEST_LIMIT_EXCEEDED',
  'RATE_LIMIT_EXCEEDED',
  'BATCH_SIZE_EXCEEDED',
  'RECEIVER_UNAVAILABLE',
  'PLACE_FULL',
] satisfies FailureCode[]);

/** An expected failure, as a value: `errors` are whole sentences for the caller's engineer. */
export type Failure<Code extends FailureCode = FailureCode> = {
  failure: Code;
  errors: string[];
  retryAfterSeconds?: number;
  /** Response headers, such as `ratelimit`. */
  headers?: Record<string, string>;
};

export function fail<Code extends FailureCode>(code: Code, ...errors: string[]): Failure<Code> {
  return { failure: code, errors };
}

/** The same, for a temporary failure: the response has `retry-after`. */
export function failWithRetryAfter<Code extends FailureCode>(
  code: Code,
  retryAfterSeconds: number,
  ...errors: string[]
): Failure<Code> {
  return { failure: code, errors, retryAfterSeconds };
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'failure' in value;
}
