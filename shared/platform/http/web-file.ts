import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { takes } from './response.ts';

export type WebResponse = APIGatewayProxyStructuredResultV2 & { statusCode: number };
type Headers = APIGatewayProxyEventV2['headers'];

const contentSecurityPolicy = [
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'",
  // Pictures of promotions and messages and tiles of the map come from anywhere.
  "img-src 'self' data: https:",
  "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** Headers of every response: no other site may frame the page, inject into it, or read what is served. */
export const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
} as const;

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
};

export function entityTag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/** A file as it is kept: compressed by the build, once for each encoding. */
export type CompressedFile = { br: Buffer; gzip: Buffer };

/** Only files up to this size are sent without compression, so that no request without a key costs much more than itself. */
const maxPlainBytes = 16_000;

/** A gzip ends with the size of its content. */
function plainBytes(gzip: Buffer): number {
  return gzip.readUInt32LE(gzip.length - 4);
}

/** A file in an encoding that the client accepts, or 406. The gateway passes binary bodies on as base64. */
export function compressedFile(name: string, { br, gzip }: CompressedFile, headers: Headers): WebResponse {
  const accepted = headers['accept-encoding'];
  if (takes(accepted, 'br', '*')) return binary(name, br, { 'content-encoding': 'br' });
  if (takes(accepted, 'gzip', '*')) return binary(name, gzip, { 'content-encoding': 'gzip' });
  return plainBytes(gzip) <= maxPlainBytes ? binary(name, gunzipSync(gzip)) : notAcceptable;
}

function binary(name: string, content: Buffer, encoding: Record<string, string> = {}): WebResponse {
  return {
    statusCode: 200,
    headers: {
      'content-type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      vary: 'accept-encoding',
      ...encoding,
    },
    body: content.toString('base64'),
    isBase64Encoded: true,
  };
}

const notAcceptable: WebResponse = {
  statusCode: 406,
  headers: {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    vary: 'accept-encoding',
  },
  body: 'This file is sent compressed only: send the header Accept-Encoding: gzip (with curl, the option --compressed).\n',
};

/** Lets browsers keep a file, but check at each use whether their copy is current. A refusal is not kept. */
export function checkedEachTime(headers: Headers, etag: string, response: WebResponse): WebResponse {
  if (response.statusCode !== 200) return response;
  const caching = { 'cache-control': 'no-cache', etag };
  const known = (headers['if-none-match'] ?? '').split(/,\s*/).map((tag) => tag.replace(/^W\//, ''));
  if (known.includes(etag)) return { statusCode: 304, headers: caching };
  return { ...response, headers: { ...response.headers, ...caching } };
}

/** Lets browsers keep a file for a year, because its name changes with its content. A refusal is not kept. */
export function keptForEver(response: WebResponse): WebResponse {
  if (response.statusCode !== 200) return response;
  return {
    ...response,
    headers: { ...response.headers, 'cache-control': 'public, max-age=31536000, immutable' },
  };
}
