import * as z from 'zod/mini';
import { repeated } from '../platform/runtime/time-left.ts';
import { readAll } from '../platform/table/batches.ts';
import { loginKey, partnerKey } from '../platform/table/row-keys/partners.ts';
import { readRow, updateExpression, updateIfStill } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { changeRow, type TransactItems, transactional } from '../platform/table/transactional.ts';
import { digestOf, StoredSecret } from './credentials.ts';
import { OfferId, PartnerId } from './partner-ids.ts';
import { PartnerLimits } from './partner-limits.ts';
import { Role } from './role.ts';

/**
 * A key: a login with its one or two live secrets (two while rotating). The secrets themselves are never stored. What
 * is true of the partner (its offers, whether it is disabled, its limits) is in every key, so that the authorizer
 * reads one row; it changes in all of them at once.
 */
export const StoredKey = z.object({
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
  secrets: z.array(StoredSecret).check(z.maxLength(2)),
});
export type StoredKey = z.infer<typeof StoredKey>;

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

export function firstKey(
  identity: Pick<StoredKey, 'login' | 'partnerId' | 'offerIds'>,
  secret: string,
  nowMs: number,
): StoredKey {
  return {
    ...identity,
    role: 'full',
    disabled: false,
    limits: {},
    secrets: [{ digest: digestOf({ login: identity.login, secret }), createdAt: nowMs }],
  };
}

type Keys = readonly [StoredKey, ...StoredKey[]];

/** The changes to the rows of a partner's keys. `logins` is set when keys are added or removed. */
type PartnerChange = { writes: TransactItems; logins?: readonly string[] };

/** A strongly consistent read. */
export async function readKey(table: Table, login: string): Promise<StoredKey | undefined> {
  const item = await readRow(table, loginKey(login));
  return item && StoredKey.parse(item);
}

/** The partner's keys in the order in which they were made; `undefined` for an unknown partner. */
export async function readKeys(table: Table, partnerId: string): Promise<Keys | undefined> {
  const entry = await readEntry(table, partnerId);
  return entry && keysOf(table, entry);
}

async function readEntry(table: Table, partnerId: string): Promise<PartnerEntry | undefined> {
  const item = await readRow(table, partnerKey(partnerId));
  return item && PartnerEntry.parse(item);
}

async function keysOf(table: Table, { logins }: PartnerEntry): Promise<Keys | undefined> {
  const rows = await readAll(table, logins.map(loginKey), { consistent: true });
  const keys = rows.map((row) => StoredKey.parse(row));
  const inOrder = logins.flatMap((login) => keys.find((key) => key.login === login) ?? []);
  const [first, ...others] = inOrder;
  return first && [first, ...others];
}

/**
 * Changes the rows of a partner's keys in one transaction, as `decide` says, or returns why it refuses the change. The
 * transaction fails when the number of keys or what they share has changed since they were read; then it reads and
 * decides again. So two requests that delete each other's key cannot both succeed, and a key that is made meanwhile
 * misses no change. `condition failed` is about a condition in the `writes`.
 */
export async function changePartner<Refused extends string = never>(
  table: Table,
  partnerId: string,
  decide: (keys: Keys) => PartnerChange | Refused,
): Promise<'changed' | 'unknown' | 'condition failed' | Refused> {
  const changed = await repeated(async () => {
    const entry = await readEntry(table, partnerId);
    const keys = entry && (await keysOf(table, entry));
    if (!keys) return 'unknown';
    const decided = decide(keys);
    if (typeof decided === 'string') return decided;
    const { writes, logins = entry.logins } = decided;
    const { version } = entry;
    const counted = updateIfStill({ version }, { set: { version: version + 1, logins } });
    const written = await transactional(table, [changeRow(table, partnerKey(partnerId), counted), ...writes]);
    if (written.applied) return 'changed';
    return written.at > 0 ? 'condition failed' : undefined;
  });
  if (!changed) throw new Error(`the keys of ${partnerId} changed under every try to change them`);
  return changed;
}

/** Sets an attribute in all of these keys, which must still be there. */
export function setInKeys(table: Table, keys: Keys, name: string, value: unknown) {
  const change = {
    ...updateExpression({ set: { [name]: value } }),
    ConditionExpression: 'attribute_exists(pk)',
  };
  return keys.map(({ login }) => changeRow(table, loginKey(login), change));
}
