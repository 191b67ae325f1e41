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

/** The end of the sentence that refuses a third secret. */
export const twoSecretsAdvice =
  'retire the older if the newer is known, or rotate with {"replace": true} if it is not';
