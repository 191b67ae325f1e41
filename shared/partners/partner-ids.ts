import * as z from 'zod/mini';
import { described } from '../platform/validation/documented.ts';

/** An id that is part of the table's keys, and so must not contain their separator. */
function plainId() {
  return z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must have 1 to 64 letters, digits, dots, hyphens or underscores'),
    );
}

/** `wallet` is the caller of the wallet routes: a partner with this id would share its Idempotency-Keys. */
export const PartnerId = described(
  plainId().check(z.refine((id) => id !== 'wallet', 'is reserved, choose another')),
  'Identifier of a partner',
);

export const OfferId = plainId().register(z.globalRegistry, {
  description: 'Identifier of a loyalty program',
  example: 'bars-of-moscow',
});

/** A login has no colon, because a colon ends the login in HTTP Basic. */
export const Login = z
  .string()
  .check(z.regex(/^[!-9;-~]{1,128}$/, 'must have 1 to 128 visible ASCII characters and no colon'));

/** The login of a key has no slash either, because it stands in paths, which the gateway may decode first. */
export const KeyLogin = z
  .string()
  .check(
    z.regex(/^[!-.0-9;-~]{1,128}$/, 'must have 1 to 128 visible ASCII characters and no colon or slash'),
  );
