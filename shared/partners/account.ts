import * as z from 'zod/mini';
import { described } from '../platform/validation/documented.ts';
import { digestOf } from './credentials.ts';
import { PartnerLimits } from './partner-limits.ts';
import { Role } from './role.ts';

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

const Secret = z.object({
  digest: z.string(),
  createdAt: z.number(),
  /** The request that made it: a repetition of that request replaces it. */
  madeBy: z.optional(z.string()),
});
export type Secret = z.infer<typeof Secret>;

/** A place takes 11 characters in the authorizer's response. */
export const maxPlaces = 100;

/**
 * A key: a login with its one or two live secrets (two while rotating). The secrets themselves are never stored. What
 * is true of the partner (its offers, whether it is disabled, its limits) is in every key, so that the authorizer
 * reads one row; it changes in all of them at once.
 */
export const Account = z.object({
  login: z.string(),
  partnerId: PartnerId,
  /** All offers of the partner. */
  offerIds: z.array(OfferId),
  role: z._default(Role, 'full'),
  label: z.optional(z.string()),
  /** The offers that the key is limited to. */
  onlyOfferIds: z.optional(z.array(OfferId)),
  /** The service points that the key is limited to; they need not exist. */
  placeIds: z.optional(z.array(z.string())),
  disabled: z.boolean(),
  /** The agreed limits that differ from the service's defaults. */
  limits: z._default(PartnerLimits, {}),
  secrets: z.array(Secret).check(z.maxLength(2)),
});
export type Account = z.infer<typeof Account>;

/**
 * The row that leads from a partner to its keys. All of them together are the list of partners. `version` counts the
 * changes of what all keys share and of which keys there are.
 */
export const PartnerEntry = z.object({
  partnerId: PartnerId,
  logins: z.array(z.string()),
  version: z.int(),
});
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
    role: 'full',
    disabled: false,
    limits: {},
    secrets: [{ digest: digestOf({ login: identity.login, secret }), createdAt: nowMs }],
  };
}

/** The offers that requests with this key may name. */
export function offersOf({ offerIds, onlyOfferIds }: Account): string[] {
  return onlyOfferIds ? offerIds.filter((offerId) => onlyOfferIds.includes(offerId)) : offerIds;
}

/** Whether the key is limited to offers, even if it names all that there are. */
export function isLimited({ onlyOfferIds }: Pick<Account, 'onlyOfferIds'>): boolean {
  return onlyOfferIds !== undefined;
}
