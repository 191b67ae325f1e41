import type middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { startWork, type Work } from '../logging/log.ts';
import { causedByPartner, fail } from './failures.ts';
import type { SavedResponse } from './idempotency.ts';
import { failureStatusOf, type GatewayEvent, type Operation } from './operation.ts';
import { failureResponse } from './response.ts';

/** The context of the invocation, and the log line of the request. */
export type WorkContext = Context & { work: Work };

/** Writes one log line for each request, and turns an unexpected exception into a 500 with the request's reference. */
export function requestLogger(
  op: Operation,
): middy.MiddlewareObj<GatewayEvent, SavedResponse, Error, WorkContext> {
  return {
    before: ({ event, context }) => {
      context.work = startWork(op.id, {
        requestId: event.requestContext.requestId,
        invocationId: context.awsRequestId,
      });
    },
    after: ({ context, response }) => {
      const refusal = response?.headers['x-error']?.split(';')[0];
      if (refusal) context.work.addMetrics({ Refused: 1 });
      if (response?.statusCode === 503 && causedByPartner.has(refusal ?? ''))
        context.work.addMetrics({ RefusedAs503: 1 });
      context.work.done(refusal ? 'refused' : 'answered', { statusCode: response?.statusCode, refusal });
    },
    onError: (request) => {
      const { event, context, error } = request;
      const failure = op.unexpectedFailure ?? 'INTERNAL_ERROR';
      context.work.failed(error, { statusCode: failureStatusOf(op, failure) });
      request.response = failureResponse(
        op,
        event,
        fail(failure, `reference ${event.requestContext.requestId}`),
      );
    },
  };
}
