import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { account, apiId, apiDomain as domainName } from '../template/account.ts';
import type { RouteMatch } from './route-table.ts';

/** A request as the gateway passes it to functions (payload format 2.0), without body and authorizer. */
export type GatewayRequest = Omit<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>;

/** Headers of the connection, which functions do not see, and cookies, which none of them reads. */
const notPassedOn: ReadonlySet<string> = new Set([
  'connection',
  'cookie',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `x=1&y=2&x=3` -> `{x: "1,3", y: "2"}` */
function queryParameters(query: string): Record<string, string> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name).join(',')]),
  );
}

function passedHeaders({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct)
      .filter(([name]) => !notPassedOn.has(name))
      .map(([name, values = []]) => [name, values.join(',')]),
  );
}

/** `07/Aug/2026:01:37:53 +0000` */
function logTime(epochMs: number): string {
  const [, day, month, year, time] = new Date(epochMs).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

/** Splits a request's target into the path and the query, both as sent. */
export function splitTarget(url: string): readonly [path: string, query: string] {
  const mark = url.indexOf('?');
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

export function gatewayRequest(request: IncomingMessage, match: RouteMatch, nowMs: number): GatewayRequest {
  const [encodedPath, rawQueryString] = splitTarget(request.url ?? '/');
  // The gateway passes the path on decoded, but the query as it was sent.
  const rawPath = decode(encodedPath);
  const sourceIp = request.socket.remoteAddress ?? '127.0.0.1';
  const headers = {
    ...passedHeaders(request),
    'x-amzn-trace-id': `Root=1-${Math.floor(nowMs / 1000).toString(16)}-${randomBytes(12).toString('hex')}`,
    'x-forwarded-for': sourceIp,
    'x-forwarded-port': String(request.socket.localPort),
    'x-forwarded-proto': 'http',
  };
  const pathParameters = Object.entries(match.pathParameters).map(([name, value]) => [name, decode(value)]);
  return {
    version: '2.0',
    routeKey: match.route.key,
    rawPath,
    rawQueryString,
    headers,
    ...(rawQueryString === '' ? {} : { queryStringParameters: queryParameters(rawQueryString) }),
    requestContext: {
      accountId: account.id,
      apiId,
      domainName,
      domainPrefix: apiId,
      http: {
        method: request.method ?? 'GET',
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: request.headers['user-agent'] ?? '',
      },
      requestId: randomBytes(12).toString('base64url'),
      routeKey: match.route.key,
      stage: '$default',
      time: logTime(nowMs),
      timeEpoch: nowMs,
    },
    ...(pathParameters.length > 0 ? { pathParameters: Object.fromEntries(pathParameters) } : {}),
  };
}

const textTypes = /^(?:text\/[^;]*|application\/(?:json|xml|javascript))\s*(?:;|$)/i;

/** Writes a body into the event as the gateway does. It passes only a few media types as text, and not forms. */
export function eventBody(
  body: Buffer,
  headers: GatewayRequest['headers'],
): { body: string; isBase64Encoded: boolean } | { isBase64Encoded: false } {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = textTypes.test(headers['content-type'] ?? '') && !headers['content-encoding'];
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}
