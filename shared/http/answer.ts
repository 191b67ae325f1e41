import type * as z from 'zod';
import { type Failure, failureStatus } from './failures.ts';
import type { SavedAnswer } from './idempotency-store.ts';
import type { Ok } from './operation.ts';

const json = { 'content-type': 'application/json; charset=utf-8' };

/** A success goes out through its schema, so that no internal field can leak with it. */
export const answerOk = (schema: z.ZodType, outcome: Ok<unknown>): SavedAnswer => ({
  statusCode: 200,
  headers: { ...json, ...outcome.headers },
  body: JSON.stringify(schema.parse(outcome.ok)),
});

/** The one shape of every error; the code travels in a header too, where bodies must be empty or are not read. */
export const answerFailure = ({ failure, errors, retryAfterSeconds }: Failure): SavedAnswer => ({
  statusCode: failureStatus[failure],
  headers: {
    ...json,
    'x-error': failure,
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  },
  body: JSON.stringify({ status: failure, errors }),
});
