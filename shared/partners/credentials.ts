import { createHmac, timingSafeEqual } from 'node:crypto';

export type Credentials = { login: string; secret: string };

/** Longer credentials cannot be valid, and are not worth a digest or a table read. */
const maxHeaderCharacters = 1_024;

/** The login and secret of an HTTP Basic header (RFC 7617), if it is one. */
export function readBasic(header: string | undefined): Credentials | undefined {
  if (!header || header.length > maxHeaderCharacters) return undefined;
  const encoded = /^basic +([a-z0-9+/]+={0,2})$/i.exec(header.trim())?.[1];
  if (!encoded) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 1) return undefined;
  return { login: decoded.slice(0, colon), secret: decoded.slice(colon + 1) };
}

/**
 * The stored form of a secret. Secrets are 256 random bits, so a fast digest is safe; the login as HMAC key gives
 * equal secrets of two accounts different digests.
 */
export function digestOf({ login, secret }: Credentials): string {
  return createHmac('sha256', `partner-secret:${login}`).update(secret).digest('base64url');
}

/**
 * Which of the live digests the secret has, counted from 0; -1 for none. Takes a time that does not depend on which one
 * matches or where they differ.
 */
export function matchAmong(credentials: Credentials, digests: readonly string[]): number {
  const given = Buffer.from(digestOf(credentials));
  let match = -1;
  for (const [n, digest] of digests.entries()) {
    const stored = Buffer.from(digest);
    if (stored.length === given.length && timingSafeEqual(stored, given)) match = n;
  }
  return match;
}
