import { createHash } from 'node:crypto';

/**
 * The key of a row. All are made in this folder, in a file for each area. Ids that a partner chose come last in a key, or
 * alone in a sort key, so that no id can reach into another's rows; offerId, partnerId and sessionId never contain `#`.
 */
export type RowKey = { pk: string; sk: string };

/** The id in a partition key such as `BULK#<id>`. */
export function idIn({ pk }: Pick<RowKey, 'pk'>): string {
  return pk.slice(pk.indexOf('#') + 1);
}

/** The key as one text. */
export function rowId({ pk, sk }: RowKey): string {
  return `${pk} ${sk}`;
}

export function distinctKeys(keys: readonly RowKey[]): RowKey[] {
  return [...new Map(keys.map((key) => [rowId(key), key])).values()];
}

export function alone(pk: string): RowKey {
  return { pk, sk: '-' };
}

/** The sort key of a row whose partition is sorted by time. Without an id it comes before all ids of that time. */
export function timeSortKey(atMs: number, id = ''): string {
  return `${String(atMs).padStart(15, '0')}#${id}`;
}

export function numbered(n: number): string {
  return String(n).padStart(6, '0');
}

/** Buckets spread rows, because a key takes 1,000 writes a second. Another number would not find the old rows. */
const bucketCount = 8;

export const buckets: readonly number[] = Array.from({ length: bucketCount }, (_, n) => n);

export function bucketOf(id: string, count = bucketCount): number {
  return (createHash('sha256').update(id).digest()[0] ?? 0) % count;
}
