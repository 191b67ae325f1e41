import * as z from 'zod/mini';
import { digestOf } from './credentials.ts';
import { PartnerLimits } from './partner-limits.ts';

/** Ids inside the table's keys, without the separator of keys. */
function plainId() {
  return z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must have 1 to 64 letters, digits, dots, hyphens or underscores'),
    );
}

/** `wallet` is the caller of the wallet routes: a partner with this id would share its Idempotency-Keys. */
export const PartnerId = plainId()
  .check(z.refine((id) => id !== 'wallet', 'is reserved, choose another'))
  .register(z.globalRegistry, { description: 'Identifier of a partner' });

export const OfferId = plainId().register(z.globalRegistry, {
  description: 'Identifier of a loyalty program',
  example: 'bars-of-moscow',
});

/** Without a colon, which ends the login in HTTP Basic. */
export const Login = z
  .string()
  .check(z.regex(/^[!-9;-~]{1,128}$/, 'must have 1 to 128 visible ASCII characters and no colon'));

/** A login with its one or two live secrets (two while rotating). The secrets themselves are never stored. */
export const Account = z.object({
  login: z.string(),
  partnerId: PartnerId,
  offerIds: z.array(OfferId),
  disabled: z.boolean(),
  /** What was agreed beyond the service's defaults. */
  limits: z._default(PartnerLimits, {}),
  secrets: z.array(z.object({ digest: z.string(), createdAt: z.number() })).check(z.maxLength(2)),
});
export type Account = z.infer<typeof Account>;

/** Leads from a partner to its account, whose key is the login; the list of all partners. */
export const PartnerEntry = z.object({ partnerId: PartnerId, login: z.string() });
export type PartnerEntry = z.infer<typeof PartnerEntry>;

/** A loyalty program: its owner, and what was agreed for it. */
export const Offer = z.object({
  offerId: OfferId,
  partnerId: PartnerId,
  /** How long a check-in lives; absent = the service's default. */
  checkInLifetimeMs: z.optional(z.int().check(z.positive())),
});
export type Offer = z.infer<typeof Offer>;

export function newAccount(
  identity: Pick<Account, 'login' | 'partnerId' | 'offerIds'>,
  secret: string,
  nowMs: number,
): Account {
  return {
    ...identity,
    disabled: false,
    limits: {},
    secrets: [{ digest: digestOf({ login: identity.login, secret }), createdAt: nowMs }],
  };
}
