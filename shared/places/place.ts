import { hash } from 'node:crypto';
import * as z from 'zod/mini';
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

const blank = 'required, it is blank';

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

/** The itemId of an element as it was sent, '' when it has none that could be an identity. */
export function receivedItemId(element: unknown): string {
  const sent =
    typeof element === 'object' && element !== null && 'itemId' in element ? element.itemId : undefined;
  const parsed = ItemId.safeParse(sent);
  return parsed.success ? parsed.data : '';
}
