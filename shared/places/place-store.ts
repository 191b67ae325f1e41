import * as z from 'zod/mini';
import { readAll, writeAll } from '../platform/table/batches.ts';
import { placeKey, placesPartition } from '../platform/table/row-keys/places.ts';
import { queryPage, queryRows, rowExists } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import type { ListPlan } from './list-plan.ts';
import { Place } from './place.ts';

const HashRow = z.object({ sk: z.string(), hash: z.string() });
const PlaceRow = z.object({ place: z.string() });
const ContentRow = z.extend(PlaceRow, { sk: z.string() });

/**
 * Reading the points of an offer for a list then takes less than half of what AWS grants their partition key, in which
 * cash desks look up places: 1,280 units a second.
 */
const pauseOfListMs = 200;

/** The service points of an offer, in UTF-8 byte order of their itemIds. */
export function placeStore(table: Table) {
  return {
    /** itemId -> content hash of every place. Strongly consistent: the list before may just have been applied. */
    hashes: async (offerId: string): Promise<Map<string, string>> => {
      const hashes = new Map<string, string>();
      const query = {
        ProjectionExpression: 'sk, #hash',
        ExpressionAttributeNames: { '#hash': 'hash' },
        ...after(offerId),
      };
      const rows = queryRows(table, query, { pauseMs: pauseOfListMs });
      for await (const row of rows) {
        const { sk, hash } = HashRow.parse(row);
        hashes.set(sk, hash);
      }
      return hashes;
    },

    /** itemId -> JSON of these points, strongly consistent as the hashes are. */
    storedJson: async (offerId: string, itemIds: readonly string[]): Promise<Map<string, string>> => {
      const keys = itemIds.map((itemId) => placeKey(offerId, itemId));
      const rows = z.array(ContentRow).parse(await readAll(table, keys, { consistent: true }));
      return new Map(rows.map(({ sk, place }) => [sk, place]));
    },

    apply: (offerId: string, { put, remove }: Pick<ListPlan, 'put' | 'remove'>) =>
      writeAll(table, [
        ...put.map(({ itemId, hash, json }) => ({
          put: { ...placeKey(offerId, itemId), hash, place: json },
        })),
        ...remove.map((itemId) => ({ delete: placeKey(offerId, itemId) })),
      ]),

    exists: (offerId: string, itemId: string) => rowExists(table, placeKey(offerId, itemId)),

    /** Up to `limit` places after `lastItemId`, which the page has too when more may follow. */
    page: async (offerId: string, limit: number, lastItemId = '') => {
      const { rows, next } = await queryPage(table, { Limit: limit, ...after(offerId, lastItemId) });
      const places = rows.map((row) => Place.parse(JSON.parse(PlaceRow.parse(row).place)));
      return { places, lastItemId: next && String(next['sk']) };
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
