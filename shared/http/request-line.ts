import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { startWork, type Work } from '../runtime/log.ts';
import { answerFailure } from './answer.ts';
import { fail } from './failures.ts';
import type { SavedAnswer } from './idempotency-store.ts';

/** The invocation's context, and the line of log that the request is writing. */
export type WorkContext = Context & { work: Work };

/** One log line a request, and the one place where a surprise becomes a 500 with the request's reference. */
export const requestLine = (
  operationId: string,
): middy.MiddlewareObj<APIGatewayProxyEventV2, SavedAnswer, Error, WorkContext> => ({
  before: ({ event, context }) => {
    context.work = startWork(operationId, {
      requestId: event.requestContext.requestId,
      invocationId: context.awsRequestId,
    });
  },
  after: ({ context, response }) => {
    const refusal = response?.headers['x-error'];
    context.work.done(refusal ? 'refused' : 'answered', { statusCode: response?.statusCode, refusal });
  },
  onError: (request) => {
    request.context.work.failed(request.error, { statusCode: 500 });
    const { requestId } = request.event.requestContext;
    request.response = answerFailure(fail('INTERNAL_ERROR', `reference ${requestId}`));
  },
});
