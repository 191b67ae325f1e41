import { putIf } from '../platform/table/condition.ts';
import { accountKey, offerKey, partnerKey } from '../platform/table/keys.ts';
import { putRow, readRowEventually } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { Account, newEntry, Offer } from './account.ts';

/** Partners' accounts and the offers they own. */
export function partnerStore(table: Table) {
  return {
    account: async (login: string): Promise<Account | undefined> => {
      const item = await readRowEventually(table, accountKey(login));
      return item && Account.parse(item);
    },

    offer: async (offerId: string): Promise<Offer | undefined> => {
      const item = await readRowEventually(table, offerKey(offerId));
      return item && Offer.parse(item);
    },

    /** Saves the account, and the entry in the list of partners unless there is one. */
    saveAccount: async (account: Account): Promise<void> => {
      const { partnerId, login } = account;
      await putRow(table, { ...accountKey(login), ...account });
      await putIf(table, {
        Item: { ...partnerKey(partnerId), ...newEntry(account) },
        ConditionExpression: 'attribute_not_exists(pk)',
      });
    },

    saveOffer: async (offer: Offer): Promise<void> => {
      await putRow(table, { ...offerKey(offer.offerId), ...offer });
    },
  };
}

export type PartnerStore = ReturnType<typeof partnerStore>;
