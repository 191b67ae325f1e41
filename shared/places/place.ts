import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { aboutMs } from '../platform/runtime/backoff.ts';
import { readAll, writeAll } from '../platform/table/batches.ts';
import { placeKey, placesPartition } from '../platform/table/row-keys/places.ts';
import { queryPage, queryRows, rowExists } from '../platform/table/rows.ts';
import type { Table } from '../platform/table/table.ts';
import { described, named } from '../platform/validation/documented.ts';
import { isBlank, text } from '../platform/validation/text.ts';

/** A service point's identity, chosen by the partner. */
export const ItemId = text(1, 128, {
  description: "Partner's identifier of the service point",
  example: '000069302',
});

const Phone = named('Phone', { type: z.optional(text(0, 64)), number: z.optional(text(0, 64)) });

const GeoPoint = named('GeoPoint', {
  lat: described(z.number().check(z.minimum(-90), z.maximum(90)), 'Latitude, degrees'),
  lng: described(z.number().check(z.minimum(-180), z.maximum(180)), 'Longitude, degrees'),
});

export const PlaceInfo = named('PlaceInfo', {
  name: described(z.optional(text(0, 255)), 'Name or title'),
  address: text(1, 1000),
  phones: z.optional(z.array(Phone).check(z.maxLength(20))),
  schedule: described(z.optional(text(0, 1000)), 'Operation schedule'),
  metroStations: described(
    z.optional(z.array(text(0, 255)).check(z.maxLength(20))),
    'Nearest metro stations',
  ),
  type: described(z.optional(text(0, 255)), 'Service point type, free text'),
  geoPoint: z.optional(GeoPoint),
});

/** A service point as the contract has it (2.1). Only itemId and placeInfo.address are required. */
export const Place = named('Place', { itemId: ItemId, placeInfo: PlaceInfo }, 'A service point.');
export type Place = z.infer<typeof Place>;

const blank = 'must not be blank';

/** A service point as partners may send it. (Stored points may have blank texts, from before these were refused.) */
export const SentPlace = Place.check(
  z.refine(({ itemId }) => !isBlank(itemId), { path: ['itemId'], message: blank }),
  z.refine(({ placeInfo }) => !isBlank(placeInfo.address), {
    path: ['placeInfo', 'address'],
    message: blank,
  }),
);

/** A place in the table; 132 bits of `hash` distinguish any two contents. */
export type StoredPlace = { itemId: string; json: string; hash: string };

/** A parsed place always has its members in the schema's order. */
export function storedPlace(place: Place): StoredPlace {
  const json = JSON.stringify(place);
  return { itemId: place.itemId, json, hash: hash('sha256', json, 'base64url').slice(0, 22) };
}

/**
 * The itemId of an element as it was sent, '' when it has none that could be an identity. An element whose itemId is a
 * number is rejected, but programs that write numeric ids so mean the point that they sent as a string before.
 */
export function receivedItemId(element: unknown): string {
  const { itemId } = Object(element);
  const source = JSON.isRawJSON(itemId) ? itemId.rawJSON : itemId;
  const parsed = ItemId.safeParse(typeof source === 'number' ? String(source) : source);
  return parsed.success ? parsed.data : '';
}

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
    /**
     * itemId -> content hash of every place, and the pages of 1 MB that the places fill. Strongly consistent: the list
     * before may just have been applied.
     */
    hashes: async (offerId: string): Promise<{ hashes: Map<string, string>; pages: number }> => {
      let pages = 0;
      const hashes = new Map<string, string>();
      const query = {
        ProjectionExpression: 'sk, #hash',
        ExpressionAttributeNames: { '#hash': 'hash' },
        ...after(offerId),
      };
      const afterPage = () => {
        pages += 1;
        return delay(aboutMs(pauseOfListMs));
      };
      const rows = queryRows(table, query, afterPage);
      for await (const row of rows) {
        const { sk, hash } = HashRow.parse(row);
        hashes.set(sk, hash);
      }
      return { hashes, pages };
    },

    /** itemId -> JSON of these points, strongly consistent as the hashes are. */
    storedJson: async (offerId: string, itemIds: readonly string[]): Promise<Map<string, string>> => {
      const keys = itemIds.map((itemId) => placeKey(offerId, itemId));
      const rows = z.array(ContentRow).parse(await readAll(table, keys, { consistent: true }));
      return new Map(rows.map(({ sk, place }) => [sk, place]));
    },

    apply: (offerId: string, { put, remove }: { put: readonly StoredPlace[]; remove: readonly string[] }) =>
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
