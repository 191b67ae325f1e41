import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from '../platform/runtime/clock.ts';
import { type Ids, uuidFrom } from '../platform/runtime/ids.ts';

export type Credentials = { login: string; secret: string };

/** What is stored of a secret. */
export const StoredSecret = z.object({
  digest: z.string(),
  createdAt: z.number(),
  /** The request that made it: a repetition of that request replaces it. */
  madeBy: z.optional(z.string()),
});
export type StoredSecret = z.infer<typeof StoredSecret>;

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
 * equal secrets of two keys different digests.
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

/** The same login for a request and its repetitions, so that they make one key. */
export function newLogin(partnerId: string, operationToken: string): string {
  return `${partnerId}-${uuidFrom(`${partnerId} ${operationToken}`).replaceAll('-', '').slice(0, 16)}`;
}

/** A new secret of 256 random bits, and what is stored of it. */
export function newSecret(login: string, { ids, clock }: { ids: Ids; clock: Clock }, madeBy?: string) {
  const secret = ids.token(32);
  const stored: StoredSecret = { digest: digestOf({ login, secret }), createdAt: clock.now(), madeBy };
  return { secret, stored };
}
