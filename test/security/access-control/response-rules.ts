import { type FailureCode, failureStatus } from '../../../shared/platform/http/failures.ts';
import type { Operation } from '../../../shared/platform/http/operation.ts';
import { unlessItFails } from '../../../shared/platform/runtime/unless-it-fails.ts';
import type { RawResponse } from './raw-request.ts';

/**
 * The most time that a response may take, however hostile its request is: the gateway gives up after 30 s. A list of 64
 * MB is decompressed and checked in a second on an idle CPU, but a busy machine took 17.
 */
const longestResponseMs = 25_000;

/** Patterns that no response may contain: internals of the service, and error messages of its libraries. */
const internals = [
  /dynamodb|dynoxide|fauxqs|amazonaws|aws-sdk|middy/i,
  /node_modules|node:internal|file:\/\/|\/work\/|\/tmp\/|\.mjs\b|\.m?ts:\d/,
  /\n\s+at |\bat (?:async )?[\w.<>]+ \(/,
  /ZodError|(?:Type|Range|Reference|Syntax)Error|ValidationException|Exception\b/,
  /\bpk\b|\bsk\b|ACCOUNT#|OFFER#|IDEM#|expiresAt":\d|attribute_not_exists/,
  /Invalid (?:input|string|option|element|key)|Too (?:big|small)|\[object Object\]/,
];

/** Codes that every operation may respond with. The document lists them for the operations that can. */
const sharedCodes: readonly FailureCode[] = [
  'REQUEST_INVALID',
  'OFFER_FORBIDDEN',
  'CHARSET_UNSUPPORTED',
  'REQUEST_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
];

/** Bodies that the gateway itself responds with, and their statuses. */
const gatewayResponses: Readonly<Record<string, number>> = {
  '{"message":"Unauthorized"}': 401,
  '{"message":"Forbidden"}': 403,
  '{"message":"Not Found"}': 404,
  '{"message":"Request Entity Too Large"}': 413,
};

/** What a sentence about invalid JSON quotes of the request: 15 characters, which may be escaped. */
const quoted = /(?<=\(at position \d+, (?:in|after) ).{0,100}/gs;

function leak({ headers, text }: RawResponse): string | undefined {
  // The gateway's id is random, and one in a hundred thousand contains a word like `pk`.
  const told = Object.entries(headers).filter(([name]) => name !== 'apigw-requestid');
  const all = `${text}\n${told.join('\n')}`;
  const ours = all.replace(quoted, '');
  const found = internals.map((pattern) => pattern.exec(ours)?.[0]).find((match) => match !== undefined);
  return found && `the response shows "${found}"`;
}

/** Returns a sentence on what is wrong with a response to any request; `undefined` if nothing is. */
export function violationIn(op: Operation, response: RawResponse): string | undefined {
  if (response.tookMs > longestResponseMs) return `took ${Math.round(response.tookMs)} ms`;
  const shown = leak(response);
  if (shown) return shown;
  // A segment that ends in an encoded slash makes a path without a route.
  if (response.status === 404 && response.text.startsWith('{"message":"Not Found: ask for '))
    return undefined;
  if (response.text in gatewayResponses) {
    return gatewayResponses[response.text] === response.status
      ? undefined
      : `${response.status} with ${response.text}`;
  }
  // Node's parser refuses what is not HTTP before the gateway sees it.
  if (response.text === '' && response.headers['x-error'] === undefined) {
    return [400, 431].includes(response.status) ? undefined : `${response.status} without body or x-error`;
  }
  return response.status === 200 ? violationInSuccess(op, response) : violationInFailure(op, response);
}

function violationInSuccess(op: Operation, { text }: RawResponse): string | undefined {
  const parsed = op.response.safeParse(read(text));
  return parsed.success ? undefined : `200 with a body that its schema refuses: ${text.slice(0, 500)}`;
}

function violationInFailure(op: Operation, { status, headers, text }: RawResponse): string | undefined {
  const told = String(headers['x-error']);
  const code = told.split(';')[0] as FailureCode;
  const tooLarge = op.bodyLimit?.failure ?? 'BODY_TOO_LARGE';
  if (![...sharedCodes, tooLarge, ...(op.failures ?? [])].includes(code))
    return `${status} ${told}: not a failure of ${op.id}`;
  if (failureStatus[code] !== status) return `${status} with ${code}`;
  if (op.emptyBodyFor?.includes(code)) return text === '' ? undefined : `${code} with a body: ${text}`;
  const body = read(text) as { status?: unknown; errors?: unknown };
  const isError =
    Object.keys(body).join() === 'status,errors' &&
    body.status === code &&
    Array.isArray(body.errors) &&
    body.errors.length > 0 &&
    body.errors.every((sentence) => typeof sentence === 'string' && sentence !== '');
  return isError ? undefined : `${code} with the body ${text.slice(0, 500)}`;
}

function read(text: string): unknown {
  return unlessItFails(() => JSON.parse(text)) ?? { notJson: text };
}
