import { createHash } from 'node:crypto';
import { type Failure, fail } from './failures.ts';

const visibleCharacters = /^[\x21-\x7e]{1,255}$/;

/** The draft of Idempotency-Key asks for a quoted string (RFC 8941): the same key as without the quotes. */
const quoted = /^"(?:[^"\\]|\\["\\])*"$/;

/** The request's Idempotency-Key, `undefined` when it has none, or what is wrong with it. */
export function readIdempotencyKey(
  headers: Record<string, string | undefined>,
): string | undefined | Failure<'REQUEST_INVALID'> {
  const header = headers['idempotency-key'];
  const key = quoted.test(header ?? '') ? header?.slice(1, -1).replace(/\\(.)/g, '$1') : header;
  if (key === undefined || visibleCharacters.test(key)) return key;
  return fail('REQUEST_INVALID', 'idempotency-key: must have 1 to 255 visible ASCII characters');
}

/** One digest of what makes requests equal; each part is preceded by its length. */
export function fingerprintOf(...parts: string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('base64url');
}
