import type { Place } from '../../api/use-places.ts';

/** The first service points in whose id, name or address every word of the search occurs. */
export function placesMatching(places: readonly Place[], search: string, most: number): Place[] {
  const words = plain(search).split(/\s+/);
  const found: Place[] = [];
  for (const place of places) {
    if (found.length === most) break;
    const { name = '', address } = place.placeInfo;
    const text = plain(`${place.itemId} ${name} ${address}`);
    if (words.every((word) => text.includes(word))) found.push(place);
  }
  return found;
}

function plain(text: string): string {
  return text.trim().toLowerCase().replaceAll('ё', 'е');
}
