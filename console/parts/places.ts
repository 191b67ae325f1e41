import type { Place } from '../api/use-places.ts';

export function nameOf({ itemId, placeInfo: { name, address } }: Place): string {
  return [name, address, itemId].filter(Boolean).join(' · ');
}

/** The first service points that contain every word of the search. */
export function placesMatching(places: readonly Place[], search: string, most = places.length): Place[] {
  if (search === '') return places.slice(0, most);
  const words = plain(search).split(/\s+/);
  const found: Place[] = [];
  for (const place of places) {
    if (found.length === most) break;
    const { name, address, type, metroStations = [] } = place.placeInfo;
    const text = plain([place.itemId, name, address, type, ...metroStations].join('\n'));
    if (words.every((word) => text.includes(word))) found.push(place);
  }
  return found;
}

function plain(text: string): string {
  return text.trim().toLowerCase().replaceAll('ё', 'е');
}

/** The chosen service point, or an empty text if the key may not use it. A key for one service point has no choice. */
export function usablePlace(chosen: string, placeIds: readonly string[] = [chosen]): string {
  const [only = '', ...others] = placeIds;
  if (others.length === 0) return only;
  return placeIds.includes(chosen) ? chosen : '';
}
