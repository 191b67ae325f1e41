import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random numbers from 0 (included) to 1 (excluded); the same seed, of one or more words, gives the same numbers. */
export function seededRandom(...seed: readonly (string | number)[]): () => number {
  const generator = xoroshiro128plus(createHash('sha256').update(seed.join(' ')).digest().readInt32BE());
  return () => uniformFloat64(generator);
}
