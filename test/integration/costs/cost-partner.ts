import { firstKey } from '../../../shared/partners/partner-rows.ts';
import { loginKey, offerKey } from '../../../shared/platform/table/row-keys/partners.ts';
import { putRow } from '../../../shared/platform/table/rows.ts';
import type { TestTable } from '../../support/table.ts';
import { count } from './cost-case.ts';

/** As many offers, with as long ids, as a partner may have from the beginning. */
export const offerIds: readonly string[] = count(98).map((n) =>
  `offer-${String(n).padStart(2, '0')}`.padEnd(64, '-'),
);
export const offerId = String(offerIds[0]);

/** The largest agreed limits, so that nothing but the request limits its cost. */
const limits = {
  bulkRecipients: 40_000,
  pushesPerMinute: 1_000_000,
  tillRequests: 1_000_000,
  heavyRequests: 1_000_000,
  otherRequests: 1_000_000,
};

/** The context of a partner's request, with a full key. */
export function by(partnerId: string) {
  return { partner: { partnerId, offerIds: [...offerIds], limits } };
}

/** Stores the partner's key, and its offers if it is the one that owns them. */
export async function storePartner(table: TestTable, partnerId: string): Promise<void> {
  const identity = { login: partnerId, partnerId, offerIds: [...offerIds] };
  await putRow(table, { ...loginKey(partnerId), ...firstKey(identity, 'secret', 0) });
  if (partnerId === 'bars') await putRow(table, { ...offerKey(offerId), offerId, partnerId });
}
