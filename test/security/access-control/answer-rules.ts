import { type FailureCode, failureStatus } from '../../../shared/http/failures.ts';
import type { Operation } from '../../../shared/http/operation.ts';
import type { Heard } from './knock.ts';

/**
 * The longest any answer may take, however hostile the request: a list of 64 MB is inflated and looked over in a
 * second on a free processor, and the tests share two.
 */
export const longestResponseMs = 10_000;

/** What no answer may show: what the service is made of, and the words of the libraries it stands on. */
const innards = [
  /dynamodb|dynoxide|fauxqs|amazonaws|aws-sdk|middy/i,
  /node_modules|node:internal|file:\/\/|\/work\/|\/tmp\/|\.mjs\b|\.m?ts:\d|\.lambda\b/,
  /\n\s+at |\bat (?:async )?[\w.<>]+ \(/,
  /ZodError|(?:Type|Range|Reference|Syntax)Error|ValidationException|Exception\b/,
  /\bpk\b|\bsk\b|ACCOUNT#|OFFER#|IDEM#|expiresAt":\d|attribute_not_exists/,
  /Invalid (?:input|string|option|element|key)|Too (?:big|small)|\[object Object\]/,
];

/** Codes that any operation may answer with; the document lists them for those that can. */
const sharedCodes: readonly FailureCode[] = [
  'REQUEST_INVALID',
  'OFFER_FORBIDDEN',
  'BODY_TOO_LARGE',
  'REQUEST_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
];

/** What the gateway says itself. */
const ownResponses: Readonly<Record<string, number>> = {
  '{"message":"Unauthorized"}': 401,
  '{"message":"Forbidden"}': 403,
  '{"message":"Not Found"}': 404,
  '{"message":"Request Entity Too Large"}': 413,
};

function leak({ headers, text }: Heard): string | undefined {
  // The gateway's id is random, and one in a hundred thousand holds a word like `pk`.
  const told = Object.entries(headers).filter(([name]) => name !== 'apigw-requestid');
  const all = `${text}\n${told.join('\n')}`;
  const found = innards.map((pattern) => pattern.exec(all)?.[0]).find((match) => match !== undefined);
  return found && `the answer shows "${found}"`;
}

/** What is wrong with an answer to any request at all, as a sentence; undefined: nothing. */
export function breachOf(op: Operation, heard: Heard): string | undefined {
  if (heard.tookMs > longestResponseMs) return `took ${Math.round(heard.tookMs)} ms`;
  const shown = leak(heard);
  if (shown) return shown;
  if (heard.text in ownResponses) {
    return ownResponses[heard.text] === heard.status ? undefined : `${heard.status} with ${heard.text}`;
  }
  // Node's parser refuses what is no HTTP before the gateway sees it.
  if (heard.text === '' && heard.headers['x-error'] === undefined) {
    return [400, 431].includes(heard.status) ? undefined : `${heard.status} without body or x-error`;
  }
  return heard.status === 200 ? breachOfSuccess(op, heard) : breachOfFailure(op, heard);
}

function breachOfSuccess(op: Operation, { text }: Heard): string | undefined {
  const parsed = op.response.safeParse(read(text));
  return parsed.success ? undefined : `200 with a body that its schema refuses: ${text.slice(0, 500)}`;
}

function breachOfFailure(op: Operation, { status, headers, text }: Heard): string | undefined {
  const told = String(headers['x-error']);
  const code = told.split(';')[0] as FailureCode;
  if (![...sharedCodes, ...op.failures].includes(code)) return `${status} ${told}: not a failure of ${op.id}`;
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
  try {
    return JSON.parse(text);
  } catch {
    return { notJson: text };
  }
}
