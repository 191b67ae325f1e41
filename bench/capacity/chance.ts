/** Numbers that look random and are the same for the same seed (mulberry32). */
export function chanceFrom(seed: number) {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** About 1, as the sum of twelve uniform numbers varies. */
  const around1 = (spread: number): number => {
    let sum = -6;
    for (let n = 0; n < 12; n++) sum += uniform();
    return Math.max(0, 1 + spread * sum);
  };
  return { uniform, around1 };
}

export type Chance = ReturnType<typeof chanceFrom>;
