/** One entry of the ledger: it balances when nothing is wrong. */
export interface Entry {
  readonly what: string;
  /** How many things were looked at. */
  readonly of: number;
  /** What does not add up, each with what was expected. */
  readonly wrong: readonly string[];
}

/** What is true at the end of a run, by area. */
export interface Ledger {
  readonly entries: readonly Entry[];
  /** Numbers that are neither right nor wrong. */
  readonly figures: Readonly<Record<string, number>>;
}

export function entry(what: string, of: number, wrong: readonly string[]): Entry {
  return { what, of, wrong };
}
