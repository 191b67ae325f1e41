import type { ServerResponse } from 'node:http';
import { isRecord } from '../template/resource.ts';

export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

const sentences = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

/** An answer of the gateway itself: no function was reached, or none gave an answer. */
export function ownAnswer(status: keyof typeof sentences): GatewayAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ message: sentences[status] })),
  };
}

/** The gateway writes these itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
]);

function mappedHeaders(headers: Record<string, unknown>): Record<string, string> {
  const mapped: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!ownHeaders.has(lower) && value !== null && value !== undefined) mapped[lower] = String(value);
  }
  return mapped;
}

function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 200 && (value as number) <= 599;
}

function isText(value: unknown): value is string | undefined | null {
  return value === undefined || value === null || typeof value === 'string';
}

/**
 * What the client gets for a function's answer (payload format 2.0): an object with a `statusCode` is a response;
 * anything else is the JSON body of a 200. Undefined: the answer is malformed.
 */
export function mapAnswer(payload: string): GatewayAnswer | undefined {
  const answer: unknown = JSON.parse(payload);
  if (!isRecord(answer) || !('statusCode' in answer)) {
    const body = typeof answer === 'string' ? answer : payload;
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
  }
  const { body, cookies, headers, isBase64Encoded } = answer;
  const status =
    typeof answer['statusCode'] === 'string' ? Number(answer['statusCode']) : answer['statusCode'];
  if (
    !isStatus(status) ||
    !isText(body) ||
    (headers !== undefined && headers !== null && !isRecord(headers))
  ) {
    return undefined;
  }
  const own = isRecord(headers) ? mappedHeaders(headers) : {};
  return {
    status,
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      ...own,
      ...(Array.isArray(cookies) ? { 'set-cookie': cookies.map(String) } : {}),
    },
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 304;
}

/** Writes the answer; a client that has gone is no error. False: a header cannot be sent as it is. */
export function sendAnswer(response: ServerResponse, answer: GatewayAnswer, requestId: string): boolean {
  const { status, headers, body } = answer;
  try {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader('apigw-requestid', requestId);
    if (hasNoBody(status)) response.removeHeader('content-type');
    else response.setHeader('content-length', body.length);
    response.writeHead(status);
  } catch {
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    return false;
  }
  response.end(hasNoBody(status) || response.req.method === 'HEAD' ? undefined : body);
  return true;
}
