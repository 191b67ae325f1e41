/** One entry of the ledger: a property that was checked. It balances if nothing is wrong. */
export type Entry = {
  what: string;
  /** How many items were checked. */
  of: number;
  /** The items that are wrong, each with what was expected. */
  wrong: readonly string[];
};

/** A case that was judged: the text of what is wrong, or `undefined`. */
export type Case = string | undefined;

export function entry(what: string, of: number, wrong: readonly string[]): Entry {
  return { what, of, wrong };
}

/** Makes an entry of cases. */
export function judged(what: string, cases: readonly Case[]): Entry {
  const wrong = cases.filter((one) => one !== undefined);
  return entry(what, cases.length, wrong);
}

/** Makes an entry for a property of each item. An item's ids must be its first members, because its text is cut. */
export function check<Item>(what: string, items: Iterable<Item>, isWrong: (item: Item) => boolean): Entry {
  const all = [...items];
  const wrong = all.filter(isWrong).map((item) => JSON.stringify(item).slice(0, 300));
  return entry(what, all.length, wrong);
}
