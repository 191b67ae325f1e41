import { createHash, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import { described } from '../platform/validation/documented.ts';

/** How a receiver responds to callbacks with a valid signature: to the next `times`, or until it is set again. */
export const ReceiverAnswer = z.object({
  status: z.literal([200, 410, 503]),
  delaySeconds: z._default(z.int().check(z.minimum(0), z.maximum(20)), 0),
  times: described(
    z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
    'How many callbacks get this answer before others get 200; left out: until it is set again',
  ),
});
export type ReceiverAnswer = z.output<typeof ReceiverAnswer>;

/** The last part of a receiver's URL: the partner's id and 256 random bits. */
export function ownerOfToken(token: string): string | undefined {
  return /^(?<partnerId>[A-Za-z0-9_.-]{1,64})\.[A-Za-z0-9_-]{43}$/.exec(token)?.groups?.['partnerId'];
}

/** Compares in constant time: digests have one length. */
export function isSameToken(a: string, b: string): boolean {
  const digest = (token: string) => createHash('sha256').update(token).digest();
  return timingSafeEqual(digest(a), digest(b));
}

type Sent = { body: string; headers: Record<string, string | undefined> };

/** Whether one of the secrets signed the request, within the last five minutes (Standard Webhooks). */
export function verifies(secrets: readonly string[], { body, headers }: Sent): boolean {
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  });
}
