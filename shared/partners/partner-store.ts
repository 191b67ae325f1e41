import { accountKey, offerKey, partnerKey } from '../table/keys.ts';
import { putRow, readRowEventually } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import { Account, Offer } from './account.ts';

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

    /** Saves the account, and the entry in the list of partners. */
    saveAccount: async (account: Account): Promise<void> => {
      const { partnerId, login } = account;
      const rows = [
        { ...accountKey(login), ...account },
        { ...partnerKey(partnerId), partnerId, login },
      ];
      for (const Item of rows) await putRow(table, Item);
    },

    saveOffer: async (offer: Offer): Promise<void> => {
      await putRow(table, { ...offerKey(offer.offerId), ...offer });
    },
  };
}

export type PartnerStore = ReturnType<typeof partnerStore>;
