import { callbacksSection } from './callbacks/section.ts';
import { coldSection } from './cold/section.ts';
import { httpSection } from './http/section.ts';
import { pushSection } from './push/section.ts';
import type { Section } from './section.ts';
import { largeSyncSection, syncSection } from './sync/section.ts';
import { largeUnitsSection, unitsSection } from './units/section.ts';
import { warmSection } from './warm/section.ts';

/** Everything `npm run bench` can measure, in the order it runs. */
export const sections: readonly Section[] = [
  coldSection,
  warmSection,
  httpSection,
  unitsSection,
  syncSection,
  pushSection,
  callbacksSection,
  largeUnitsSection,
  largeSyncSection,
];
