import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Place } from '../../../shared/places/place.ts';

const Bar = z.object({
  ID: z.string(),
  Name: z.string(),
  TypeObject: z.string(),
  Address: z.string(),
  PublicPhone: z.array(z.string()),
  Latitude_WGS84: z.number(),
  Longitude_WGS84: z.number(),
});

/** The 533 bars of Moscow (see README.md beside this file) as service points. */
export function moscowBars(): Place[] {
  const file = new URL('./moscow-bars.json', import.meta.url);
  return z.array(Bar).parse(JSON.parse(readFileSync(file, 'utf8'))).map(toPlace);
}

function toPlace(bar: z.infer<typeof Bar>): Place {
  // Where there is no phone the city writes so in words.
  const phones = bar.PublicPhone.filter((number) => /\d/.test(number)).map((number) => ({ type: 'main', number }));
  return {
    itemId: bar.ID,
    placeInfo: {
      name: bar.Name,
      address: bar.Address,
      type: bar.TypeObject,
      geoPoint: { lat: bar.Latitude_WGS84, lng: bar.Longitude_WGS84 },
      ...(phones.length > 0 ? { phones } : {}),
    },
  };
}
