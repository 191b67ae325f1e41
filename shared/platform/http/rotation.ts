import * as z from 'zod/mini';
import { described, named } from '../validation/documented.ts';

/** The body of a rotation, which may be missing. */
export const RotateRequest = z.optional(
  named('RotateRequest', {
    replace: described(
      z._default(z.boolean(), false),
      'Replace the newer of two secrets, whose response was lost',
    ),
  }),
);

/** The end of the sentence that refuses a third secret; `replacing` is how the request asks to replace the newer. */
export function twoSecretsAdvice(replacing = 'with {"replace": true}'): string {
  return `retire the older if the newer is known, or rotate ${replacing} if it is not`;
}

/** What keys and endpoints know of each of their secrets. The older of two stands first. */
type Dated = { createdAt: number; madeBy?: string | undefined };

/** The secrets after a change, and the one that ends by it. */
export type SecretsChange<Secret extends Dated> = { secrets: Secret[]; ended?: Secret | undefined };

/**
 * Adds a second secret; with `replace` it takes the place of the newer of two. It also takes the place of one that the
 * same request made before it died, because nobody has seen that one.
 */
export function rotated<Secret extends Dated>(
  secrets: readonly Secret[],
  added: Secret,
  replace = false,
): SecretsChange<Secret> | 'two secrets' {
  const [older, newer] = secrets.filter((secret) => !isMadeBy(secret, added.madeBy));
  if (!older) return { secrets: [added] };
  if (newer && !replace) return 'two secrets';
  // The older secret may have been made a moment ago by an instance whose clock is ahead.
  const createdAt = Math.max(added.createdAt, older.createdAt + 1);
  return { secrets: [older, { ...added, createdAt }], ended: newer };
}

/**
 * Ends the older of two secrets, unless the newer was made after `beganAt` (ms): then the older is not the one that was
 * meant at that time.
 */
export function retired<Secret extends Dated>(
  secrets: readonly Secret[],
  beganAt = Number.POSITIVE_INFINITY,
): SecretsChange<Secret> | 'one secret' | 'changed meanwhile' {
  const [older, newer] = secrets;
  if (!newer) return 'one secret';
  return newer.createdAt > beganAt ? 'changed meanwhile' : { secrets: [newer], ended: older };
}

/** Whether a request, or a repetition of it, has made the secret. */
export function isMadeBy(secret: Dated, request: string | undefined): boolean {
  return request !== undefined && secret.madeBy === request;
}
