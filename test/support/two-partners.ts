import { partnerAdminStore } from '../../shared/partners/partner-admin-store.ts';
import { firstKey } from '../../shared/partners/partner-rows.ts';
import type { Table } from '../../shared/platform/table/table.ts';

/** Stores the partner bars with the offer bars-of-moscow, and bakery with bakery-club. */
export async function storeTwoPartners(table: Table): Promise<void> {
  const admin = partnerAdminStore(table);
  for (const [partnerId, offerId] of [
    ['bars', 'bars-of-moscow'],
    ['bakery', 'bakery-club'],
  ] as const) {
    await admin.create(firstKey({ login: partnerId, partnerId, offerIds: [offerId] }, 'secret', 0));
  }
}
