import { alone, type RowKey } from './row-key.ts';

export function loginKey(login: string): RowKey {
  return alone(`ACCOUNT#${login}`);
}

export function offerKey(offerId: string): RowKey {
  return alone(`OFFER#${offerId}`);
}

export const partnersPartition = 'PARTNERS';

export function partnerKey(partnerId: string): RowKey {
  return { pk: partnersPartition, sk: partnerId };
}
