import { alone, type RowKey } from './row-key.ts';

export function promotionCounterKey(partnerId: string): RowKey {
  return alone(`PROMOCOUNTER#${partnerId}`);
}

export function promotionsPartition(partnerId: string): string {
  return `PROMOS#${partnerId}`;
}

export const promotionItemPrefix = 'ITEM#';

export function promotionItemKey(partnerId: string, promoId: number): RowKey {
  const sk = `${promotionItemPrefix}${String(promoId).padStart(10, '0')}`;
  return { pk: promotionsPartition(partnerId), sk };
}

export function promotionKey(partnerId: string, promoId: number): RowKey {
  return { pk: promotionsPartition(partnerId), sk: `PROMO#${String(promoId).padStart(10, '0')}` };
}
