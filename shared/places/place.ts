import * as z from 'zod';
import { text } from '../validation/text.ts';

/** A service point's identity, chosen by the partner. */
export const ItemId = text(1, 128).meta({
  description: "Partner's identifier of the service point",
  example: '000069302',
});

const Phone = z.object({
  type: text(0, 64).optional(),
  number: text(0, 64).optional(),
});

const GeoPoint = z.object({
  lat: z.number().min(-90).max(90).meta({ description: 'Latitude, degrees' }),
  lng: z.number().min(-180).max(180).meta({ description: 'Longitude, degrees' }),
});

/** A service point as the contract has it (2.1). Only itemId and placeInfo.address are required. */
export const Place = z
  .object({
    itemId: ItemId,
    placeInfo: z.object({
      name: text(0, 255).optional().meta({ description: 'Name or title' }),
      address: text(1, 1000),
      phones: z.array(Phone).max(20).optional(),
      schedule: text(0, 1000).optional().meta({ description: 'Operation schedule' }),
      metroStations: z.array(text(0, 255)).max(20).optional().meta({ description: 'Nearest metro stations' }),
      type: text(0, 255).optional().meta({ description: 'Service point type, free text' }),
      geoPoint: GeoPoint.optional(),
    }),
  })
  .meta({ id: 'Place', description: 'A service point.' });
export type Place = z.infer<typeof Place>;

/** The itemId of an element as it was sent, '' when it has none that could be an identity. */
export const sentItemId = (element: unknown): string => {
  const sent =
    typeof element === 'object' && element !== null && 'itemId' in element ? element.itemId : undefined;
  const parsed = ItemId.safeParse(sent);
  return parsed.success ? parsed.data : '';
};
