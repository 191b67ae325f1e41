import { seededChance } from '../../../local/simulators/receipt-waves.ts';

/** Choices that follow from a seed: each flow has rng of its own, so that none depends on another's pace. */
export function createRng(seed: number, flow: number) {
  const chance = seededChance(Math.imul(seed, 7_919) + flow);
  /** From `from` (included) to `to` (excluded). */
  const between = (from: number, to: number): number => from + Math.floor(chance() * (to - from));
  return { happens: (rate: number): boolean => chance() < rate, between };
}

export type Rng = ReturnType<typeof createRng>;
