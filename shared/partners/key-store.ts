import { updateIf, updateIfStill } from '../platform/table/condition.ts';
import { accountKey } from '../platform/table/row-keys/partners.ts';
import { readRow } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { changeRow, putNew } from '../platform/table/transactional.ts';
import { Account, type Secret } from './account.ts';
import {
  type ActingKey,
  coversOffers,
  isLastOwner,
  liveKeyOf,
  maxKeys,
  type Refusal,
  refusalOf,
  secretsByAge,
  sendsLimited,
} from './key-rules.ts';
import { changePartner, readKeys } from './partner-rows.ts';

export type KeyLimits = { onlyOfferIds?: string[] | undefined; placeIds?: string[] | undefined };
export type NewKey = Pick<Account, 'login' | 'role' | 'label'> & KeyLimits & { secret: Secret };

export type Creation =
  | { outcome: 'created'; key: Account }
  | { outcome: 'too many' | 'login taken' | 'ended' | 'out of scope' | 'unknown' };
type Unended = 'last full key' | Refusal;
export type Ending = 'done' | Unended;

/**
 * A partner's keys, for the partner and for operators. A login of another partner is an unknown one. Changes of which
 * keys there are happen one after the other; reads are strongly consistent.
 */
export function keyStore(table: Table) {
  const find = async (partnerId: string, login: string): Promise<Account | undefined> => {
    const item = await readRow(table, accountKey(login));
    const account = item && Account.parse(item);
    return account?.partnerId === partnerId ? account : undefined;
  };

  return {
    find,

    /** Every key of the partner, in the order in which they were made. */
    list: async (partnerId: string): Promise<readonly Account[]> => (await readKeys(table, partnerId)) ?? [],

    /**
     * Adds a key that shares with the others what is true of the partner. A key that is limited to offers, and creates
     * another, hands its limit on. When the request that made this login is repeated, its key gets the new secret:
     * nobody has seen the first.
     */
    create: async (partnerId: string, key: NewKey, actingKey?: ActingKey): Promise<Creation> => {
      const { login, secret, ...rest } = key;
      let made: Account | undefined;
      type Refused = 'too many' | 'ended' | 'out of scope' | 'made before';
      const changed = await changePartner<Refused>(table, partnerId, (keys) => {
        const [{ offerIds, disabled, limits }] = keys;
        const maker = actingKey ? liveKeyOf(keys, actingKey) : { ...keys[0], onlyOfferIds: undefined };
        if (!maker) return 'ended';
        const onlyOfferIds = rest.onlyOfferIds ?? maker.onlyOfferIds;
        if (!coversOffers(maker, onlyOfferIds) || sendsLimited({ ...rest, onlyOfferIds }))
          return 'out of scope';
        made = { login, partnerId, offerIds, disabled, limits, ...rest, onlyOfferIds, secrets: [secret] };
        if (keys.some((other) => other.login === login)) return 'made before';
        if (keys.length >= maxKeys) return 'too many';
        const added = putNew(table, { ...accountKey(login), ...made });
        return { logins: [...keys.map((other) => other.login), login], writes: [added] };
      });
      const isThere =
        changed === 'changed' ||
        (changed === 'made before' && (await replaceSecret(table, login, { secret, at: 0 })));
      if (made && isThere) return { outcome: 'created', key: made };
      const isTaken = changed === 'changed' || changed === 'made before' || changed === 'condition failed';
      return { outcome: isTaken ? 'login taken' : changed };
    },

    /** Sets what the key is limited to; nothing given, it is limited to nothing. */
    limit: async (partnerId: string, login: string, limits: KeyLimits): Promise<Ending> => {
      const { onlyOfferIds, placeIds } = limits;
      const set = { onlyOfferIds: onlyOfferIds ?? null, placeIds: placeIds ?? null };
      const changed = await changePartner<Unended>(table, partnerId, (keys) => {
        if (!keys.some((key) => key.login === login)) return 'unknown';
        if (onlyOfferIds && isLastOwner(keys, login)) return 'last full key';
        return { writes: [changeRow(table, accountKey(login), updateIfStill({ partnerId }, { set }))] };
      });
      return endingOf(changed);
    },

    /** Deletes a key. The gateway lets it in until the cached verdict has expired. */
    remove: async (partnerId: string, login: string, actingKey?: ActingKey): Promise<Ending> => {
      const changed = await changePartner<Unended>(table, partnerId, (keys) => {
        const refused = refusalOf(keys, login, actingKey);
        // Of two keys that delete each other, the slower one has ended. It gets the reason why the other stays.
        if ((!refused || refused === 'ended') && isLastOwner(keys, login)) return 'last full key';
        if (refused) return refused;
        return {
          logins: keys.map((key) => key.login).filter((other) => other !== login),
          writes: [{ Delete: { TableName: table.name, Key: accountKey(login) } }],
        };
      });
      return endingOf(changed);
    },

    /** Adds a secret beside the only one; false when there are two already, or no such key. */
    addSecret: async (login: string, secret: Secret): Promise<boolean> => {
      const added = await updateIf(table, {
        Key: accountKey(login),
        UpdateExpression: 'SET secrets = list_append(secrets, :added)',
        ConditionExpression: 'size(secrets) < :most',
        ExpressionAttributeValues: { ':added': [secret], ':most': 2 },
      });
      if (added.applied) return true;
      // The SDK repeats a write whose response was lost: a secret that is stored already has been added.
      const there = Account.safeParse(added.row).data?.secrets ?? [];
      if (there.some(({ digest }) => digest === secret.digest)) return true;
      const at = there.findIndex(({ madeBy }) => madeBy !== undefined && madeBy === secret.madeBy);
      return at >= 0 && replaceSecret(table, login, { secret, at });
    },

    /** Replaces the newer of two secrets, if they are still those that were read. */
    replaceNewest: async (account: Account, secret: Secret): Promise<boolean> => {
      const { older } = secretsByAge(account);
      const change = updateIfStill({ secrets: account.secrets }, { set: { secrets: [older, secret] } });
      const replaced = await updateIf(table, { Key: accountKey(account.login), ...change });
      // The SDK repeats a write whose response was lost: a secret that is stored already has replaced the newer one.
      const there = replaced.applied ? [] : (Account.safeParse(replaced.row).data?.secrets ?? []);
      return replaced.applied || there.some(({ digest }) => digest === secret.digest);
    },

    /** Ends the older of two secrets, if they are still those that were read. */
    retire: async (account: Account): Promise<boolean> => {
      const { newest } = secretsByAge(account);
      const change = updateIfStill({ secrets: account.secrets }, { set: { secrets: [newest] } });
      return (await updateIf(table, { Key: accountKey(account.login), ...change })).applied;
    },
  };
}

export type KeyStore = ReturnType<typeof keyStore>;

function endingOf(changed: Awaited<ReturnType<typeof changePartner<Unended>>>): Ending {
  if (changed === 'changed') return 'done';
  return changed === 'condition failed' ? 'unknown' : changed;
}

/** Replaces a secret that the same request made before it died. */
async function replaceSecret(table: Table, login: string, { secret, at }: { secret: Secret; at: number }) {
  if (secret.madeBy === undefined) return false;
  const replaced = await updateIf(table, {
    Key: accountKey(login),
    UpdateExpression: `SET secrets[${at}] = :secret`,
    ConditionExpression: `secrets[${at}].madeBy = :madeBy`,
    ExpressionAttributeValues: { ':secret': secret, ':madeBy': secret.madeBy },
  });
  return replaced.applied;
}
