/** One entry of the ledger: it balances when nothing is wrong. */
export interface Entry {
  readonly what: string;
  /** How many things were looked at. */
  readonly of: number;
  /** What does not add up, each with what was expected. */
  readonly wrong: readonly string[];
}

export function entry(what: string, of: number, wrong: readonly string[]): Entry {
  return { what, of, wrong };
}

/** An entry of what must be true of each item. What names an item stands among its first members. */
export function check<Item>(what: string, items: Iterable<Item>, isWrong: (item: Item) => boolean): Entry {
  const all = [...items];
  const wrong = all.filter(isWrong).map((item) => JSON.stringify(item).slice(0, 300));
  return entry(what, all.length, wrong);
}
