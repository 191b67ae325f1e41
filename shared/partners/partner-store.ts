import { accountKey, offerKey } from '../platform/table/keys.ts';
import { readRowEventually } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
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
  };
}

export type PartnerStore = ReturnType<typeof partnerStore>;
