import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { unlessItFails } from '../../shared/platform/runtime/unless-it-fails.ts';
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
  return unlessItFails(() => decodeURIComponent(text)) ?? text;
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

/**
 * Splits a request's target into the path and the query. The gateway decodes the path before it chooses the route, so
 * an encoded slash separates segments, and drops what follows an encoded question mark; the query stays as it was sent
 * (https://github.com/middleapi/standard-server/pull/93, https://github.com/honojs/hono/issues/2156).
 */
export function splitTarget(url: string): readonly [path: string, query: string] {
  const mark = url.indexOf('?');
  const [sentPath, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
  const [path = ''] = decode(sentPath).split('?');
  return [path, query];
}

export function gatewayRequest(request: IncomingMessage, match: RouteMatch, nowMs: number): GatewayRequest {
  const [rawPath, rawQueryString] = splitTarget(request.url ?? '/');
  const sourceIp = request.socket.remoteAddress ?? '127.0.0.1';
  const headers = {
    ...passedHeaders(request),
    'x-amzn-trace-id': `Root=1-${Math.floor(nowMs / 1000).toString(16)}-${randomBytes(12).toString('hex')}`,
    'x-forwarded-for': sourceIp,
    'x-forwarded-port': String(request.socket.localPort),
    'x-forwarded-proto': 'http',
  };
  // The gateway decodes parameters, and so decodes them a second time.
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

/**
 * Whether a gateway may damage the body: it chooses by the content type, and writes what it takes for text as a string
 * (https://github.com/ministackorg/ministack/pull/766, where others say what they measured). That a content encoding
 * makes it binary, as here, is not documented.
 */
export function gatewayMayDamage(body: Buffer, headers: GatewayRequest['headers']): boolean {
  return textTypes.test(headers['content-type'] ?? '') && !isUtf8(body);
}

/** Writes a body into the event as the gateway does. It passes only a few media types as text, and not forms. */
export function eventBody(
  body: Buffer,
  headers: GatewayRequest['headers'],
): { body: string; isBase64Encoded: boolean } | { isBase64Encoded: false } {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = textTypes.test(headers['content-type'] ?? '') && !headers['content-encoding'];
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}
