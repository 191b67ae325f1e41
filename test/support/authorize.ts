import { authorizePartner } from '../../functions/authorizer/authorize-partner.ts';
import { partnerStore } from '../../shared/partners/partner-store.ts';
import type { Table } from '../../shared/platform/table/table.ts';

/** Returns the verdict of the authorizer, without its cache at the gateway, on this header Authorization. */
export function authorize(table: Table, authorization: string | undefined) {
  const headers = authorization === undefined ? {} : { authorization };
  const event = { headers, requestContext: { requestId: 'r' } };
  return authorizePartner({ partners: partnerStore(table), pushesPerMinute: 1_000 })(event as never);
}
