import type * as z from 'zod/mini';
import { type Failure, type FailureCode, failureStatus } from './failures.ts';
import type { SavedResponse } from './idempotency-store.ts';
import type { Ok } from './operation.ts';

const json = { 'content-type': 'application/json; charset=utf-8' };

/** The body of a success passes its schema, so that no internal field can leak. */
export function okResponse(schema: z.ZodMiniType, outcome: Ok<unknown>): SavedResponse {
  return {
    statusCode: 200,
    headers: { ...json, ...outcome.headers },
    body: JSON.stringify(schema.parse(outcome.ok)),
  };
}

/**
 * The one format of errors. The code is also in a header: by contract some bodies are empty (`emptyBodyFor`), and
 * some clients do not read them.
 */
export function failureResponse(
  { failure, errors, retryAfterSeconds, headers }: Failure,
  emptyBodyFor: readonly FailureCode[] = [],
): SavedResponse {
  const hasBody = !emptyBodyFor.includes(failure);
  return {
    statusCode: failureStatus[failure],
    headers: {
      ...(hasBody ? json : {}),
      'x-error': hasBody ? failure : headerText(`${failure}; ${errors.join('; ')}`),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...headers,
    },
    body: hasBody ? JSON.stringify({ status: failure, errors }) : '',
  };
}

/** Without a body the header contains the sentences too: printable ASCII, of limited length. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 1_000);
}
