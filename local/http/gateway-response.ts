import type { ServerResponse } from 'node:http';
import * as z from 'zod/mini';

export type GatewayResponse = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
};

const reasons = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

/** Makes a response of the gateway itself, which it sends if no function was reached or its response cannot be used. */
export function ownResponse(
  status: keyof typeof reasons,
  message: string = reasons[status],
): GatewayResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ message })),
  };
}

/** The payload format 2.0 allows several forms of responses. Our functions use this one. */
const FunctionResponse = z.object({
  statusCode: z.int().check(z.minimum(200), z.maximum(599)),
  headers: z._default(z.record(z.string(), z.string()), {}),
  body: z._default(z.string(), ''),
  isBase64Encoded: z.optional(z.boolean()),
});

/** Maps a function's result to the response. Returns `undefined` if the result has another form. */
export function mapResponse(payload: string): GatewayResponse | undefined {
  const result = FunctionResponse.safeParse(JSON.parse(payload));
  if (!result.success) return undefined;
  const { statusCode, headers, body, isBase64Encoded } = result.data;
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    status: statusCode,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...Object.fromEntries(lower) },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function hasNoBody(status: number): boolean {
  return status === 204 || status === 304;
}

/** Writes the response, and ignores that the client has disconnected. Returns false if a header cannot be sent. */
export function sendResponse(serverResponse: ServerResponse, response: GatewayResponse, requestId: string) {
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
