import * as z from 'zod/mini';
import { backoff } from '../runtime/backoff.ts';
import { updateIf } from '../table/condition.ts';
import { accountKey, offerKey, partnerKey, partnersPartition } from '../table/keys.ts';
import { readAll } from '../table/read-all.ts';
import { queryRows, readRow } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import { transactional } from '../table/transactional.ts';
import { Account, Offer, PartnerEntry } from './account.ts';

export type Creation =
  | { outcome: 'created' }
  | { outcome: 'taken'; what: 'partner' | 'login' }
  | { outcome: 'taken'; what: 'offer'; offerId: string };

type Identity = Pick<Account, 'login' | 'partnerId'>;
type Secret = Account['secrets'][number];

/**
 * Partners for operators' commands. Every change is conditional on the row as it was read, so that of two
 * operators at once neither undoes the other's change: it returns false and changes nothing. Reads are strongly
 * consistent.
 */
export function partnerAdminStore(table: Table, pause = backoff()) {
  const account = async (login: string): Promise<Account | undefined> => {
    const item = await readRow(table, accountKey(login));
    return item && Account.parse(item);
  };

  const changeAccount = (login: string, change: Change) =>
    updateIf(table, updateOf(table, accountKey(login), change));

  const claimOffer = (offerId: string, partnerId: string) => ({
    Update: updateOf(table, offerKey(offerId), {
      UpdateExpression: 'SET offerId = :offerId, partnerId = :partnerId',
      ConditionExpression: 'attribute_not_exists(pk) OR partnerId = :partnerId',
      ExpressionAttributeValues: { ':offerId': offerId, ':partnerId': partnerId },
    }),
  });

  return {
    /** The account with this login. */
    account,

    /** The account of this partner. */
    find: async (partnerId: string): Promise<Account | undefined> => {
      const item = await readRow(table, partnerKey(partnerId));
      return item && account(PartnerEntry.parse(item).login);
    },

    /** Every partner's account, by partnerId. */
    list: async (): Promise<Account[]> => {
      const entries: PartnerEntry[] = [];
      const query = {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': partnersPartition },
      };
      for await (const row of queryRows(table, query)) entries.push(PartnerEntry.parse(row));
      const rows = await readAll(
        table,
        entries.map(({ login }) => accountKey(login)),
        { consistent: true },
      );
      const accounts = new Map(rows.map((row) => [String(row['login']), Account.parse(row)]));
      return entries.flatMap(({ login }) => accounts.get(login) ?? []);
    },

    /** The offers with these ids, in any order. */
    offers: async (offerIds: readonly string[]): Promise<Offer[]> =>
      z.array(Offer).parse(await readAll(table, offerIds.map(offerKey), { consistent: true })),

    /** Adds account, entry and offers, all or nothing. At most 98 offers: a transaction writes 100 rows. */
    create: async (created: Account): Promise<Creation> => {
      const { partnerId, login, offerIds } = created;
      const put = (Item: Record<string, unknown>) => ({
        Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
      });
      const written = await transactional(
        table,
        [
          put({ ...partnerKey(partnerId), partnerId, login }),
          put({ ...accountKey(login), ...created }),
          ...offerIds.map((offerId) => claimOffer(offerId, partnerId)),
        ],
        pause,
      );
      if (written.applied) return { outcome: 'created' };
      const offerId = offerIds[written.at - 2];
      if (offerId !== undefined) return { outcome: 'taken', what: 'offer', offerId };
      return { outcome: 'taken', what: written.at === 0 ? 'partner' : 'login' };
    },

    addOffer: async (
      { login, partnerId }: Identity,
      offerId: string,
    ): Promise<'added' | 'there already' | 'foreign'> => {
      const toAccount = updateOf(table, accountKey(login), {
        UpdateExpression: 'SET offerIds = list_append(offerIds, :added)',
        ConditionExpression: 'attribute_exists(pk) AND NOT contains(offerIds, :offerId)',
        ExpressionAttributeValues: { ':added': [offerId], ':offerId': offerId },
      });
      const writes = [{ Update: toAccount }, claimOffer(offerId, partnerId)];
      const written = await transactional(table, writes, pause);
      if (written.applied) return 'added';
      return written.at === 0 ? 'there already' : 'foreign';
    },

    /** Removes the offer's owner. Its service points and check-ins stay. */
    removeOffer: async ({ login, partnerId, offerIds }: Account, offerId: string): Promise<boolean> => {
      const fromAccount = updateOf(table, accountKey(login), {
        UpdateExpression: 'SET offerIds = :left',
        ConditionExpression: 'offerIds = :seen',
        ExpressionAttributeValues: {
          ':left': offerIds.filter((owned) => owned !== offerId),
          ':seen': offerIds,
        },
      });
      const offer = {
        TableName: table.name,
        Key: offerKey(offerId),
        ConditionExpression: 'attribute_not_exists(pk) OR partnerId = :partnerId',
        ExpressionAttributeValues: { ':partnerId': partnerId },
      };
      const written = await transactional(table, [{ Update: fromAccount }, { Delete: offer }], pause);
      return written.applied;
    },

    /** Adds a secret beside the only one; false when there are two already. */
    addSecret: async (login: string, secret: Secret): Promise<boolean> => {
      const added = await changeAccount(login, {
        UpdateExpression: 'SET secrets = list_append(secrets, :added)',
        ConditionExpression: 'size(secrets) < :most',
        ExpressionAttributeValues: { ':added': [secret], ':most': 2 },
      });
      if (added.applied) return true;
      // The SDK repeats a write whose response was lost: a secret that is stored already has been added.
      const there = Account.safeParse(added.existing).data?.secrets ?? [];
      return there.some(({ digest }) => digest === secret.digest);
    },

    /** Keeps one of the account's secrets, if they are still those that were read. */
    keepSecret: async ({ login, secrets }: Account, kept: Secret): Promise<boolean> => {
      const changed = await changeAccount(login, {
        UpdateExpression: 'SET secrets = :kept',
        ConditionExpression: 'secrets = :seen',
        ExpressionAttributeValues: { ':kept': [kept], ':seen': secrets },
      });
      return changed.applied;
    },

    setLimits: async ({ login, limits: seen }: Account, limits: Account['limits']): Promise<boolean> => {
      const changed = await changeAccount(login, {
        UpdateExpression: 'SET limits = :limits',
        ConditionExpression: 'limits = :seen OR (attribute_exists(pk) AND attribute_not_exists(limits))',
        ExpressionAttributeValues: { ':limits': limits, ':seen': seen },
      });
      return changed.applied;
    },

    /**
     * Sets the lifetime of the offer's check-ins; `undefined` is the service's default. False when the offer is
     * not the partner's.
     */
    setCheckInLifetime: async (
      offerId: string,
      partnerId: string,
      lifetimeMs: number | undefined,
    ): Promise<boolean> => {
      const { applied } = await updateIf(
        table,
        updateOf(table, offerKey(offerId), {
          UpdateExpression:
            lifetimeMs === undefined ? 'REMOVE checkInLifetimeMs' : 'SET checkInLifetimeMs = :lifetime',
          ConditionExpression: 'partnerId = :partnerId',
          ExpressionAttributeValues: {
            ':partnerId': partnerId,
            ...(lifetimeMs === undefined ? {} : { ':lifetime': lifetimeMs }),
          },
        }),
      );
      return applied;
    },

    /** Disables or enables the account; false for an unknown login. */
    setDisabled: async (login: string, disabled: boolean): Promise<boolean> => {
      const changed = await changeAccount(login, {
        UpdateExpression: 'SET disabled = :disabled',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':disabled': disabled },
      });
      return changed.applied;
    },
  };
}

export type PartnerAdminStore = ReturnType<typeof partnerAdminStore>;

type Change = {
  UpdateExpression: string;
  ConditionExpression: string;
  ExpressionAttributeValues: Record<string, unknown>;
};

function updateOf(table: Table, Key: { pk: string; sk: string }, change: Change) {
  return {
    TableName: table.name,
    Key,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ...change,
  };
}
