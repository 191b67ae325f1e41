/** One entry of the ledger: it balances when what was found is what was expected, and nothing is wrong. */
export interface Entry {
  readonly what: string;
  readonly expected: number;
  readonly found: number;
  /** Ids of what does not add up. */
  readonly wrong: readonly string[];
}

/** A number that is neither right nor wrong. */
interface Figure {
  readonly what: string;
  readonly value: number;
}

export interface Ledger {
  readonly entries: readonly Entry[];
  readonly figures: readonly Figure[];
}

export function balances({ expected, found, wrong }: Entry): boolean {
  return expected === found && wrong.length === 0;
}

/** An entry about things that are each right or wrong: `wrong` names the wrong ones. */
export function entry(what: string, expected: number, wrong: readonly string[]): Entry {
  return {
    what,
    expected,
    found: expected - wrong.length,
    wrong,
  };
}

export function merge(...ledgers: readonly Ledger[]): Ledger {
  return {
    entries: ledgers.flatMap(({ entries }) => entries),
    figures: ledgers.flatMap(({ figures }) => figures),
  };
}
