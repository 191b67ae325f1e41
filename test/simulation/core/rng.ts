import { seededRandom } from '../../support/seeded-random.ts';

export function createRng(...seed: readonly (string | number)[]) {
  const random = seededRandom(...seed);
  /** Returns a whole number from `from` (included) to `to` (excluded). */
  const between = (from: number, to: number): number => from + Math.floor(random() * (to - from));
  return {
    random,
    between,
    happens: (rate: number): boolean => random() < rate,
    pick: <Item>(items: readonly [Item, ...Item[]]): Item => items[between(0, items.length)] as Item,
    bytes: (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => between(0, 256))),
  };
}

export type Rng = ReturnType<typeof createRng>;
