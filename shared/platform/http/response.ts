import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Failure, FailureCode, failureStatus } from './failures.ts';
import type { SavedResponse } from './idempotency.ts';
import { type Csv, failureStatusOf, type Ok, type Operation } from './operation.ts';

/** Headers of every response: it may hold secrets and phone numbers, so nothing on its way keeps it or guesses its type. */
const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

const json = { 'content-type': 'application/json; charset=utf-8' };

const csv = { 'content-type': 'text/csv; charset=utf-8; header=present' };

/** The body of a success passes its schema, so that no internal field can leak. */
export function okResponse(schema: z.ZodMiniType, outcome: Ok<unknown> | Csv): SavedResponse {
  if ('csv' in outcome)
    return { statusCode: 200, headers: { ...always, ...csv, ...outcome.headers }, body: outcome.csv };
  return {
    statusCode: 200,
    headers: { ...always, ...json, ...outcome.headers },
    body: bodyText(schema.parse(outcome.ok), outcome.texts),
  };
}

function bodyText(body: unknown, texts: Record<string, string> = {}): string {
  const names = Object.keys(texts);
  if (names.length === 0) return JSON.stringify(body);
  const others = Object.entries(body as object).filter(([name]) => !names.includes(name));
  const members = names.map((name) => `${JSON.stringify(name)}:${texts[name]}`);
  return `{${[JSON.stringify(Object.fromEntries(others)).slice(1, -1), ...members].join(',')}}`;
}

/** Returns the weight, from 0 to 1, that a header such as Accept gives the first of these values that it names. */
function weightIn(header: string, ...values: string[]): number {
  const ranges = new Map(
    header.split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      return [type, parameters];
    }),
  );
  const named = values.find((value) => ranges.has(value));
  if (named === undefined) return 0;
  const weight = ranges.get(named)?.find((parameter) => parameter.startsWith('q='));
  return weight === undefined ? 1 : Number(weight.slice(2));
}

/** Tells whether a header such as Accept or Accept-Encoding takes the first of these values that it names: `q=0` does not. */
export function takes(header = '', ...values: string[]): boolean {
  return weightIn(header, ...values) > 0;
}

/** Tells whether a client takes CSV and does not like JSON more. */
export function prefersCsv(accept = ''): boolean {
  const weight = weightIn(accept, 'text/csv', 'text/*');
  return weight > 0 && weight >= weightIn(accept, 'application/json');
}

/**
 * The code is also in a header, because some clients do not read bodies. Where the contract wants an empty body
 * (`emptyBodyFor`), the header has the sentences too.
 */
export function failureResponse(
  op: Pick<Operation, 'emptyBodyFor' | 'overBudgetStatus'>,
  event: APIGatewayProxyEventV2,
  failed: Failure,
): SavedResponse {
  const { failure, errors, retryAfterSeconds, headers } = failed;
  const status = failureStatusOf(op, failure);
  const hasBody = !op.emptyBodyFor?.includes(failure);
  const { contentType, body } = hasBody ? errorBody(failed, status, event) : { body: '' };
  return {
    statusCode: status,
    headers: {
      ...always,
      ...contentType,
      'x-error': hasBody ? failure : asHeader(`${failure}; ${errors.join('; ')}`),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...headers,
    },
    body,
  };
}

type FailureStatus = (typeof failureStatus)[FailureCode];

const titles: Record<FailureStatus, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/**
 * The service's own format of errors, or problem details (RFC 9457) if the client prefers them to JSON. Their type is
 * about:blank, because `code` tells them apart; `instance` is the request's path with its id, to look it up by.
 */
function errorBody({ failure, errors }: Failure, status: FailureStatus, event: APIGatewayProxyEventV2) {
  const { accept = '' } = event.headers;
  if (weightIn(accept, 'application/problem+json') <= weightIn(accept, 'application/json'))
    return { contentType: json, body: JSON.stringify({ status: failure, errors }) };
  const path = event.rawPath.toWellFormed().split('/').map(encodeURIComponent).join('/');
  const instance = `${path}#${encodeURIComponent(event.requestContext.requestId)}`;
  const problem = { type: 'about:blank', title: titles[status], status, detail: errors.join('; '), instance };
  return {
    contentType: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({ ...problem, code: failure, errors }),
  };
}

/** Printable ASCII of limited length. */
function asHeader(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 1_000);
}
