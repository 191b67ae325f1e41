import type { FailureCode } from '../../shared/platform/http/failures.ts';
import {
  acceptsIdempotencyKey,
  failureStatusOf,
  type Operation,
} from '../../shared/platform/http/operation.ts';
import { type headers, refTo } from './error-schemas.ts';
import { meaning } from './failure-meanings.ts';
import type { Json } from './schema-of.ts';

type HeaderName = keyof typeof headers;

function headersOf(names: readonly HeaderName[]): Json {
  if (names.length === 0) return {};
  return {
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  };
}

/** Returns all responses of an operation: its success, its failures, and those of the gateway itself. */
export function responsesOf(
  op: Operation,
  { schema, example, csvExample }: { schema: Json; example: unknown; csvExample?: string | undefined },
  responseHeaders: readonly HeaderName[] = [],
): Json {
  const codes = new Set<FailureCode>([
    ...sharedFailures(op),
    ...(op.failures ?? []),
    op.unexpectedFailure ?? 'INTERNAL_ERROR',
  ]);
  const own = Map.groupBy(codes, (code) => String(failureStatusOf(op, code)));
  const gateway = gatewayErrors(op);
  const statuses = new Set([...own.keys(), ...Object.keys(gateway)]);
  const failures = [...statuses].map((status) => {
    const rate = rateHeaders(own.get(status) ?? []);
    return [status, failureResponse(op, Number(status), own.get(status) ?? [], gateway[status], rate)];
  });
  const success = {
    description: 'Success',
    ...headersOf([...responseHeaders, ...(acceptsIdempotencyKey(op) ? replayHeaders : [])]),
    content: {
      'application/json': { schema, example },
      ...(op.csv ? { 'text/csv': { schema: { type: 'string' }, example: csvExample } } : {}),
    },
  };
  // JavaScript sorts members whose names are numbers.
  return { 200: success, ...Object.fromEntries(failures) };
}

const replayHeaders = ['idempotent-replayed'] as const;

function sharedFailures(op: Operation): FailureCode[] {
  return [
    // Outside the contract an unknown parameter is refused, and everywhere a wrong key.
    ...(op.contractId === undefined || op.path || op.query || acceptsIdempotencyKey(op)
      ? (['REQUEST_INVALID'] as const)
      : []),
    ...op.caller.failures,
    ...(op.caller.authorization === 'basic' ? (['REQUEST_LIMIT_EXCEEDED'] as const) : []),
    ...(op.body && !op.bodyLimit?.failure ? (['BODY_TOO_LARGE'] as const) : []),
    ...(op.body ? (['CHARSET_UNSUPPORTED'] as const) : []),
    ...(acceptsIdempotencyKey(op) ? (['REQUEST_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const) : []),
  ];
}

const refusalsForRate = ['TOO_MANY_REQUESTS', 'RATE_LIMIT_EXCEEDED', 'REQUEST_LIMIT_EXCEEDED'] as const;

/** A response that refuses a request for its rate, or for the number of requests, has headers about that. */
function rateHeaders(codes: readonly FailureCode[]): HeaderName[] {
  return refusalsForRate.some((code) => codes.includes(code)) ? ['ratelimit', 'ratelimit-policy'] : [];
}

type GatewayError = { message: string; when: string };

/** The gateway's own responses, before a function runs or when a function gives none. */
function gatewayErrors(op: Operation): Record<string, GatewayError> {
  const basic = op.caller.authorization === 'basic';
  const forbidden = basic ? 'The credentials are not accepted' : 'The signature is missing or not accepted';
  return {
    ...(basic ? { 401: { message: 'Unauthorized', when: 'No credentials were sent' } } : {}),
    ...(op.caller.authorization === 'none' ? {} : { 403: { message: 'Forbidden', when: forbidden } }),
    // A reading of the path by the function itself takes every path.
    ...(op.path && !op.readPath
      ? { 404: { message: 'Not Found', when: 'A part of the path is empty, or a slash follows it' } }
      : {}),
    ...(op.body
      ? {
          413: {
            message: 'Request Entity Too Large',
            when: 'The body is beyond 6 MB with its quotes escaped, or 4.7 MB of gzip',
          },
        }
      : {}),
    429: { message: 'Too Many Requests', when: 'Too many requests at once: slow down and repeat' },
    500: { message: 'Internal Server Error', when: 'The service could not answer' },
    503: { message: 'Service Unavailable', when: 'The service is overloaded or took too long: repeat later' },
  };
}

function failureResponse(
  op: Operation,
  status: number,
  codes: readonly FailureCode[],
  gateway: GatewayError | undefined,
  rate: readonly HeaderName[],
): Json {
  const withBody = codes.filter((code) => !op.emptyBodyFor?.includes(code));
  const emptyByContract = withBody.length < codes.length;
  const sentences = codes.map((code) => sentenceOf(code, withBody.includes(code)));
  return {
    description: [...sentences, ...(gateway ? [gatewaySentence(gateway)] : [])].join('\n\n'),
    ...headersOf([
      ...(codes.length > 0 ? (['x-error'] as const) : []),
      ...(codes.length > 0 && [409, 429, 503].includes(status) ? (['retry-after'] as const) : []),
      ...rate,
    ]),
    // Clients would fail to read an empty body as JSON, so no content is documented if the body may be empty.
    ...(emptyByContract ? {} : { content: errorContent(withBody, gateway) }),
  };
}

function sentenceOf(code: FailureCode, hasBody: boolean): string {
  return `\`${code}\`: ${meaning[code].when}.${hasBody ? '' : ' The body is empty.'}`;
}

function gatewaySentence({ message, when }: GatewayError): string {
  return `From the gateway, \`{"message": "${message}"}\`: ${when}.`;
}

function errorContent(codes: readonly FailureCode[], gateway: GatewayError | undefined): Json {
  const own = codes.map((code) => [code, { value: { status: code, errors: [meaning[code].example] } }]);
  const schema = gateway ? (codes.length > 0 ? 'AnyError' : 'GatewayError') : 'ServiceError';
  return {
    'application/json': {
      schema: refTo(schema),
      examples: Object.fromEntries([
        ...own,
        ...(gateway ? [['gateway', { value: { message: gateway.message } }]] : []),
      ]),
    },
    ...(codes.length > 0 ? { 'application/problem+json': { schema: refTo('ProblemDetails') } } : {}),
  };
}
