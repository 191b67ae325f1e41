import * as z from 'zod/mini';
import { placeKey, placesPartition } from '../table/keys.ts';
import { queryPage, queryRows, rowExists } from '../table/rows.ts';
import type { Table } from '../table/table.ts';
import { type Write, writeAll } from '../table/write-all.ts';
import { Place } from './place.ts';
import type { SlicePlan } from './slice-plan.ts';
import type { ItemRange } from './slices.ts';

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

export type PlacePage = { places: Place[]; lastItemId?: string };

/** The service points of an offer, in UTF-8 byte order of their itemIds. */
export function placeStore(table: Table) {
  return {
    /**
     * itemId -> content hash of every place in the range. Strongly consistent: another slice may just have
     * written.
     */
    hashesIn: async (offerId: string, range: ItemRange): Promise<Map<string, string>> => {
      const hashes = new Map<string, string>();
      const rows = queryRows(table, {
        ProjectionExpression: 'sk, #hash',
        ExpressionAttributeNames: { '#hash': 'hash' },
        ...rangeCondition(offerId, range),
      });
      for await (const row of rows) {
        const { sk, hash } = HashRow.parse(row);
        hashes.set(sk, hash);
      }
      return hashes;
    },

    apply: async (offerId: string, plan: Pick<SlicePlan, 'put' | 'remove'>): Promise<void> => {
      const writes: Write[] = [
        ...plan.put.map(({ itemId, hash, json }) => ({
          put: { ...placeKey(offerId, itemId), hash, place: json },
        })),
        ...plan.remove.map((itemId) => ({ delete: placeKey(offerId, itemId) })),
      ];
      await writeAll(table, writes);
    },

    exists: async (offerId: string, itemId: string): Promise<boolean> => {
      return rowExists(table, placeKey(offerId, itemId));
    },

    /** Up to `limit` places after `after`; `lastItemId` is there when more may follow. */
    page: async (offerId: string, limit: number, after = ''): Promise<PlacePage> => {
      const { Items = [], LastEvaluatedKey } = await queryPage(table, {
        Limit: limit,
        ...rangeCondition(offerId, { after }),
      });
      const places = z
        .array(PlaceRow)
        .parse(Items)
        .map((row) => row.place);
      return LastEvaluatedKey ? { places, lastItemId: String(LastEvaluatedKey['sk']) } : { places };
    },
  };
}

export type PlaceStore = ReturnType<typeof placeStore>;

/**
 * A key condition has inclusive bounds, so an exclusive `after` becomes its successor: in byte order the next
 * string is the same one followed by NUL.
 */
function rangeCondition(offerId: string, { after = '', upTo }: ItemRange) {
  return {
    KeyConditionExpression: `pk = :pk AND ${upTo === undefined ? 'sk >= :from' : 'sk BETWEEN :from AND :upTo'}`,
    ExpressionAttributeValues: {
      ':pk': placesPartition(offerId),
      ':from': `${after}\u0000`,
      ...(upTo === undefined ? {} : { ':upTo': upTo }),
    },
  };
}
