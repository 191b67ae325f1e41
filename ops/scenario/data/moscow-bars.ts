import { readFileSync } from 'node:fs';
import type { Place } from '../../../shared/places/place.ts';

/** The 533 bars of Moscow (see README.md beside this file) as service points. */
export function moscowBars(): Place[] {
  return JSON.parse(readFileSync(new URL('./moscow-bars.json', import.meta.url), 'utf8'));
}
