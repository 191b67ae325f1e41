import * as z from 'zod/mini';
import { placeKey, placesPartition } from '../platform/table/keys.ts';
import { queryPage, queryRows, rowExists } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { type Write, type Written, writeAll } from '../platform/table/write-all.ts';
import type { ListPlan } from './list-plan.ts';
import { Place } from './place.ts';

const HashRow = z.object({ sk: z.string(), hash: z.string() });
const PlaceRow = z.object({
  place: z.pipe(
    z.pipe(
      z.string(),
      z.transform((json) => JSON.parse(json)),
    ),
    Place,
  ),
});

/** The service points of an offer, in UTF-8 byte order of their itemIds. */
export function placeStore(table: Table) {
  return {
    /** itemId -> content hash of every place. Strongly consistent: the list before may just have been applied. */
    hashes: async (offerId: string): Promise<Map<string, string>> => {
      const hashes = new Map<string, string>();
      const rows = queryRows(table, {
        ProjectionExpression: 'sk, #hash',
        ExpressionAttributeNames: { '#hash': 'hash' },
        ...after(offerId),
      });
      for await (const row of rows) {
        const { sk, hash } = HashRow.parse(row);
        hashes.set(sk, hash);
      }
      return hashes;
    },

    apply: async (offerId: string, plan: Pick<ListPlan, 'put' | 'remove'>): Promise<Written> => {
      const writes: Write[] = [
        ...plan.put.map(({ itemId, hash, json }) => ({
          put: { ...placeKey(offerId, itemId), hash, place: json },
        })),
        ...plan.remove.map((itemId) => ({ delete: placeKey(offerId, itemId) })),
      ];
      return writeAll(table, writes);
    },

    exists: async (offerId: string, itemId: string): Promise<boolean> => {
      return rowExists(table, placeKey(offerId, itemId));
    },

    /** Up to `limit` places after `lastItemId`, which the page has too when more may follow. */
    page: async (offerId: string, limit: number, lastItemId = '') => {
      const { Items = [], LastEvaluatedKey } = await queryPage(table, {
        Limit: limit,
        ...after(offerId, lastItemId),
      });
      const places = z
        .array(PlaceRow)
        .parse(Items)
        .map((row) => row.place);
      return { places, lastItemId: LastEvaluatedKey && String(LastEvaluatedKey['sk']) };
    },
  };
}

export type PlaceStore = ReturnType<typeof placeStore>;

/** A key condition's bound is inclusive; in byte order the next string is the same one followed by NUL. */
function after(offerId: string, itemId = '') {
  return {
    KeyConditionExpression: 'pk = :pk AND sk >= :from',
    ExpressionAttributeValues: { ':pk': placesPartition(offerId), ':from': `${itemId}\u0000` },
  };
}
