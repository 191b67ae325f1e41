import { offerKey } from '../platform/table/row-keys/partners.ts';
import { readRow } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { Offer, readKey, readKeys } from './partner-rows.ts';

/** Partners' keys and the offers they own. */
export function partnerStore(table: Table) {
  return {
    /** Read consistently: the gateway would cache for 5 minutes that a replica did not know a new key or secret yet. */
    key: (login: string) => readKey(table, login),

    /** Whether the partner exists and is not disabled at this moment: a consistent read of its entry and keys, 2 units or more. */
    isActive: async (partnerId: string): Promise<boolean> =>
      (await readKeys(table, partnerId))?.[0].disabled === false,

    offer: async (offerId: string): Promise<Offer | undefined> => {
      const item = await readRow(table, offerKey(offerId), { consistent: false });
      return item && Offer.parse(item);
    },
  };
}

export type PartnerStore = ReturnType<typeof partnerStore>;
