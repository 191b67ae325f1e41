import { accountKey, offerKey } from '../platform/table/row-keys/partners.ts';
import { readRow } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { Account, Offer } from './account.ts';

/** Partners' accounts and the offers they own. */
export function partnerStore(table: Table) {
  return {
    account: async (login: string): Promise<Account | undefined> => {
      const item = await readRow(table, accountKey(login), { consistent: false });
      return item && Account.parse(item);
    },

    offer: async (offerId: string): Promise<Offer | undefined> => {
      const item = await readRow(table, offerKey(offerId), { consistent: false });
      return item && Offer.parse(item);
    },
  };
}

export type PartnerStore = ReturnType<typeof partnerStore>;
