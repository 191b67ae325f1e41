import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

export type WebResponse = APIGatewayProxyStructuredResultV2 & { statusCode: number };
type Headers = APIGatewayProxyEventV2['headers'];

const contentSecurityPolicy = [
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'",
  // Pictures of promotions and tiles of the map come from anywhere.
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

export function tagOf(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/** A file that is kept compressed by brotli. The gateway passes binary bodies on as base64. */
export function compressedFile(name: string, content: Buffer, headers: Headers): WebResponse {
  const takesBrotli = /\bbr\b/.test(headers['accept-encoding'] ?? '');
  return {
    statusCode: 200,
    headers: {
      'content-type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      vary: 'accept-encoding',
      ...(takesBrotli ? { 'content-encoding': 'br' } : {}),
    },
    body: (takesBrotli ? content : brotliDecompressSync(content)).toString('base64'),
    isBase64Encoded: true,
  };
}

/** Lets browsers keep a file, but check at each use whether their copy is current. */
export function checkedEachTime(headers: Headers, etag: string, response: WebResponse): WebResponse {
  const caching = { 'cache-control': 'no-cache', etag };
  const known = (headers['if-none-match'] ?? '').split(/,\s*/).map((tag) => tag.replace(/^W\//, ''));
  if (known.includes(etag)) return { statusCode: 304, headers: caching };
  return { ...response, headers: { ...response.headers, ...caching } };
}

/** Lets browsers keep a file for a year, because its name changes with its content. */
export function keptForEver(response: WebResponse): WebResponse {
  return {
    ...response,
    headers: { ...response.headers, 'cache-control': 'public, max-age=31536000, immutable' },
  };
}
