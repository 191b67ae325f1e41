import type { Json } from './schema-of.ts';

/** Errors of the service and of the gateway. Their members tell them apart; most clients need only the status. */
export const errorSchemas: Json = {
  ServiceError: {
    type: 'object',
    description: 'The shape of every error the service returns.',
    required: ['status', 'errors'],
    properties: {
      // There is no enum, because clients generated today must accept codes that are added later.
      status: { type: 'string', description: 'Machine code', example: 'REQUEST_INVALID' },
      errors: {
        type: 'array',
        items: { type: 'string' },
        description: 'Sentences; each names the field by its path',
      },
    },
  },
  ProblemDetails: {
    type: 'object',
    description: 'An error of the service for those who accept application/problem+json (RFC 9457).',
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'errors'],
    properties: {
      type: { type: 'string', example: 'about:blank' },
      title: { type: 'string', example: 'Bad Request' },
      status: { type: 'integer', format: 'int64', example: 400 },
      detail: { type: 'string', description: 'The sentences of `errors` in one' },
      instance: { type: 'string', description: 'The path, and the request id' },
      code: { type: 'string', description: 'Machine code', example: 'REQUEST_INVALID' },
      errors: { type: 'array', items: { type: 'string' }, description: 'As in other errors' },
    },
  },
  GatewayError: {
    type: 'object',
    description: 'The shape of an error of the gateway in front of the service.',
    required: ['message'],
    properties: { message: { type: 'string', example: 'Forbidden' } },
  },
  AnyError: {
    description: 'An error of the service, or of the gateway in front of it.',
    oneOf: [refTo('ServiceError'), refTo('GatewayError')],
  },
};

/** The headers of responses. */
export const headers = {
  'x-error': {
    description: 'The machine code again; where the body is empty, the sentences too',
    schema: { type: 'string' },
  },
  'retry-after': {
    description: 'Seconds, where waiting helps',
    schema: { type: 'integer', format: 'int64' },
  },
  ratelimit: {
    description:
      'What is left of the sending rate (`recipients`) or of the requests in 10 s (`requests`), and for how many seconds (an IETF draft)',
    schema: { type: 'string' },
    example: '"recipients";r=99990;t=42',
  },
  'ratelimit-policy': {
    description: 'How many `recipients` or `requests` the account may have, and in how many seconds',
    schema: { type: 'string' },
    example: '"recipients";q=100000;w=60',
  },
  'idempotent-replayed': {
    description: '`true`: the first response of this Idempotency-Key again',
    schema: { type: 'string' },
    example: 'true',
  },
};

export function refTo(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}
