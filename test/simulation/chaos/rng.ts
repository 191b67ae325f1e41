import { seededRandom } from '../../../local/rng.ts';

/** Choices that follow from a seed: each flow has an rng of its own, so that none depends on another's pace. */
export function createRng(seed: number, flow: number) {
  const random = seededRandom(seed, flow);
  /** From `from` (included) to `to` (excluded). */
  const between = (from: number, to: number): number => from + Math.floor(random() * (to - from));
  return { happens: (rate: number): boolean => random() < rate, between };
}

export type Rng = ReturnType<typeof createRng>;
