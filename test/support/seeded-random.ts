import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Returns a generator of numbers from 0 (included) to 1 (excluded), the same numbers for the same seed. */
export function seededRandom(...seed: readonly (string | number)[]): () => number {
  const generator = xoroshiro128plus(createHash('sha256').update(seed.join(' ')).digest().readInt32BE());
  return () => uniformFloat64(generator);
}
