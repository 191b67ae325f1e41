import { type FailureCode, failureStatus } from '../../shared/http/failures.ts';
import type { Operation } from '../../shared/http/operation.ts';

type Json = Record<string, unknown>;

export const errorSchema = {
  type: 'object',
  description: 'The shape of every error the service returns.',
  required: ['status', 'errors'],
  properties: {
    status: { type: 'string', enum: Object.keys(failureStatus), description: 'Machine code' },
    errors: {
      type: 'array',
      items: { type: 'string' },
      description: 'Sentences; each names the field by its path',
    },
  },
};

/** When each failure is answered, and one sentence as the service words it. */
const meaning: Record<FailureCode, { when: string; example: string }> = {
  REQUEST_INVALID: {
    when: 'The request is malformed or a field is wrong',
    example: 'places: must be an array',
  },
  OFFER_FORBIDDEN: {
    when: "The header offerId is not one of the account's loyalty programs",
    example: 'offerId: is not a loyalty program of this account',
  },
  OFFER_NOT_FOUND: {
    when: 'There is no such loyalty program',
    example: 'offerId: nobody is not a loyalty program of this service',
  },
  SESSION_NOT_FOUND: {
    when: 'The offer has no such session, or it is older than 30 days',
    example: 'sessionId: 5f0c1b9e is not a session of this offer',
  },
  PLACE_NOT_FOUND: {
    when: 'The offer has no such service point',
    example: 'placeId: 000069302 is not a service point of this offer',
  },
  CHECKIN_NOT_FOUND: {
    when: 'The offer has no such check-in',
    example: 'checkinNumber: 17 is not a check-in of this offer',
  },
  PROMO_NOT_FOUND: {
    when: 'The partner has no such promotion',
    example: 'promoId: 17 is not a promotion of this partner',
  },
  NO_ACTIVE_PROMOTIONS: {
    when: "None of the partner's promotions is active",
    example: 'promos: none is active at this moment',
  },
  CHECKIN_NOT_ACTIVE: {
    when: 'The check-in was redeemed or has expired',
    example: 'checkinNumber: 17 is used or expired, ask for a new check-in',
  },
  REQUEST_IN_PROGRESS: {
    when: 'A request with this Idempotency-Key is still running',
    example: 'idempotency-key: its first request is still running, ask again in a second',
  },
  SYNC_BEING_ACCEPTED: {
    when: 'Another list of the offer is being accepted at this moment',
    example:
      'places: another list of this offer is being accepted, or its acceptance broke off; send again, in 4 s at the latest',
  },
  BODY_TOO_LARGE: {
    when: 'The body is larger than the operation takes',
    example: 'body: 6000001 bytes sent, the limit is 6000000; gzip it or send less',
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: 'The Idempotency-Key was used with another request',
    example: 'idempotency-key: was used with another request, use a new key for a new request',
  },
  MESSAGE_NOT_FOUND: {
    when: 'The account has sent no such message, or it is older than 30 days',
    example: 'messageId: 5f0c1b9e-7a52-4c0e-9a1c-2f6f7f0f7d11 is not a message of this account',
  },
  TOO_MANY_REQUESTS: {
    when: "The account's sending rate is exhausted for this minute",
    example: 'msisdn: the limit of 1000000 recipients a minute is reached, send again after 12 s',
  },
  BATCH_SIZE_EXCEEDED: {
    when: 'More recipients or messages than one request may have',
    example: 'msisdn: 10001 recipients, the limit is 10000 a request; send several requests',
  },
  RATE_LIMIT_EXCEEDED: {
    when: "The request does not fit into what is left of the account's sending rate in this minute; it was refused whole",
    example: 'msisdn: the limit of 1000000 recipients a minute is reached, send again after 12 s',
  },
  PROCESSING_FAILED: {
    when: 'The request could not be processed; no message was accepted, send it again',
    example: 'reference JKJaXmPLvHcESHA=',
  },
  INTERNAL_ERROR: {
    when: 'The service failed; quote the reference when you ask for help',
    example: 'reference JKJaXmPLvHcESHA=',
  },
  SYNC_UNAVAILABLE: {
    when: 'The queue did not take the whole list; parts of it may take effect',
    example: 'places: the list could not be taken as a whole, send it again',
  },
  PLACE_FULL: {
    when: 'Almost every secret code of the place is in use',
    example: 'placeId: almost every code is in use there, try again in a minute',
  },
};

/** Every answer of an operation: its success, its failures, and what the gateway itself says. */
export function responsesOf(op: Operation, response: { schema: Json; example: unknown }): Json {
  const codes = new Set<FailureCode>([
    ...sharedFailures(op),
    ...op.failures,
    op.unexpectedFailure ?? 'INTERNAL_ERROR',
  ]);
  const byStatus = Map.groupBy(codes, (code) => failureStatus[code]);
  const own = [...byStatus].map(([status, list]) => [String(status), failureResponse(status, list, op)]);
  const all: [string, unknown][] = [
    ['200', { description: 'Success', content: { 'application/json': response } }],
    ...(own as [string, unknown][]),
    ...gatewayResponses(op, byStatus),
  ];
  return Object.fromEntries(all.sort(([a], [b]) => Number(a) - Number(b)));
}

function sharedFailures(op: Operation): FailureCode[] {
  return [
    ...(op.path || op.query || op.body ? (['REQUEST_INVALID'] as const) : []),
    ...op.caller.failures,
    ...(op.body ? (['BODY_TOO_LARGE', 'REQUEST_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const) : []),
  ];
}

function failureResponse(status: number, codes: FailureCode[], op: Operation): Json {
  const withBody = codes.filter((code) => !op.emptyBodyFor?.includes(code));
  return {
    description: codes.map((code) => sentenceOf(code, withBody.includes(code))).join('\n\n'),
    headers: {
      'x-error': {
        description: 'The machine code again; where the body is empty, the sentences too',
        schema: { type: 'string' },
      },
      ...([409, 429, 503].includes(status)
        ? { 'retry-after': { description: 'Seconds, where waiting helps', schema: { type: 'integer' } } }
        : {}),
    },
    ...(withBody.length > 0 ? { content: errorContent(withBody) } : {}),
  };
}

function sentenceOf(code: FailureCode, hasBody: boolean): string {
  return `\`${code}\`: ${meaning[code].when}.${hasBody ? '' : ' The body is empty.'}`;
}

function errorContent(codes: FailureCode[]): Json {
  return {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(
        codes.map((code) => [code, { value: { status: code, errors: [meaning[code].example] } }]),
      ),
    },
  };
}

/** The gateway answers these before a function runs, with a body of its own: {"message": ...}. */
function gatewayResponses(op: Operation, responses: ReadonlyMap<number, unknown>): [string, Json][] {
  return [
    ...(op.caller.authorization === 'basic'
      ? [['401', { description: 'No credentials were sent.' }] as [string, Json]]
      : []),
    ...(responses.has(403)
      ? []
      : [['403', { description: 'The credentials are not accepted.' }] as [string, Json]]),
    ...(responses.has(429)
      ? []
      : [['429', { description: 'Too many requests at once: slow down and repeat.' }] as [string, Json]]),
  ];
}
