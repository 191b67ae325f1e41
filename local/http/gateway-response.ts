import type { ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { isRecord } from '../template/is-record.ts';

export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

const reasons = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

/** A response of the gateway itself: no function was reached, or its response cannot be used. */
export function ownResponse(status: keyof typeof reasons): GatewayResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ message: reasons[status] })),
  };
}

/** Headers that only the gateway may set. */
const ownHeaders = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

function mappedHeaders(headers: Record<string, unknown>): Record<string, string> {
  const mapped: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!ownHeaders.has(lower) && value !== null && value !== undefined) mapped[lower] = String(value);
  }
  return mapped;
}

const FunctionResponse = z.object({
  statusCode: z.pipe(
    z.transform((status) => (typeof status === 'string' ? Number(status) : status)),
    z.int().check(z.minimum(200), z.maximum(599)),
  ),
  headers: z.nullish(z.record(z.string(), z.unknown())),
  cookies: z.optional(z.unknown()),
  body: z.nullish(z.string()),
  isBase64Encoded: z.optional(z.unknown()),
});

/**
 * Maps a function's result to the response (payload format 2.0): an object with a `statusCode` is a response;
 * anything else is the JSON body of a 200. Returns `undefined` if the result is malformed.
 */
export function mapResponse(payload: string): GatewayResponse | undefined {
  const response: unknown = JSON.parse(payload);
  if (!isRecord(response) || !('statusCode' in response)) {
    const body = typeof response === 'string' ? response : payload;
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
  }
  const result = FunctionResponse.safeParse(response);
  if (!result.success) return undefined;
  const { statusCode, body, cookies, headers, isBase64Encoded } = result.data;
  return {
    status: statusCode,
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      ...mappedHeaders(headers ?? {}),
      ...(Array.isArray(cookies) ? { 'set-cookie': cookies.map(String) } : {}),
    },
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 304;
}

/** Writes the response, and ignores that the client has disconnected. Returns false if a header cannot be sent. */
export function sendResponse(
  serverResponse: ServerResponse,
  response: GatewayResponse,
  requestId: string,
): boolean {
  const { status, headers, body } = response;
  try {
    for (const [name, value] of Object.entries(headers)) serverResponse.setHeader(name, value);
    serverResponse.setHeader('apigw-requestid', requestId);
    if (hasNoBody(status)) serverResponse.removeHeader('content-type');
    else serverResponse.setHeader('content-length', body.length);
    serverResponse.writeHead(status);
  } catch {
    for (const name of serverResponse.getHeaderNames()) serverResponse.removeHeader(name);
    return false;
  }
  serverResponse.end(hasNoBody(status) || serverResponse.req.method === 'HEAD' ? undefined : body);
  return true;
}
