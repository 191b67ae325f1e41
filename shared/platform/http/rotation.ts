import * as z from 'zod/mini';
import { clocksDifferMs } from '../runtime/clock.ts';
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
 * The time up to which the newer secret must have been made for a repetition to end the older one: the request that died
 * may have ended one already, and what was the newer one then must stay.
 */
export function madeBeforeRepeat({
  repeatOf,
  operationBeganAt = 0,
}: {
  repeatOf: string | undefined;
  operationBeganAt: number | undefined;
}): number | undefined {
  return repeatOf === undefined ? undefined : operationBeganAt + clocksDifferMs;
}

/** Ends the older of two secrets, unless the newer was made after `madeUntil` (ms): then another one is the older now. */
export function retired<Secret extends Dated>(
  secrets: readonly Secret[],
  madeUntil = Number.POSITIVE_INFINITY,
): SecretsChange<Secret> | 'one secret' | 'changed meanwhile' {
  const [older, newer] = secrets;
  if (!newer) return 'one secret';
  return newer.createdAt > madeUntil ? 'changed meanwhile' : { secrets: [newer], ended: older };
}

/** Whether a request, or a repetition of it, has made the secret. */
export function isMadeBy(secret: Dated, request: string | undefined): boolean {
  return request !== undefined && secret.madeBy === request;
}
