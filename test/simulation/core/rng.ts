import { seededRandom } from '../../support/seeded-random.ts';

export function createRng(...seed: readonly (string | number)[]) {
  const random = seededRandom(...seed);
  /** Returns a whole number from `from` (included) to `to` (excluded). */
  const between = (from: number, to: number): number => from + Math.floor(random() * (to - from));
  const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => between(0, 256)));
  return {
    random,
    between,
    happens: (rate: number): boolean => random() < rate,
    pick: <Item>(items: readonly [Item, ...Item[]]): Item => items[between(0, items.length)] as Item,
    bytes,
    uuid: (): string => {
      const hex = bytes(16).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}

export type Rng = ReturnType<typeof createRng>;
