/** One line of the books: it balances when what was found is what was expected, and nothing is wrong. */
export interface Line {
  readonly what: string;
  readonly expected: number;
  readonly found: number;
  /** Ids of what does not add up. */
  readonly wrong: readonly string[];
}

/** A number that is neither right nor wrong. */
export interface Figure {
  readonly what: string;
  readonly value: number;
}

export interface Book {
  readonly lines: readonly Line[];
  readonly figures: readonly Figure[];
}

export function balances({ expected, found, wrong }: Line): boolean {
  return expected === found && wrong.length === 0;
}

/** A line about things that each are right or not: `wrong` names those that are not. */
export function tallied(what: string, expected: number, wrong: readonly string[]): Line {
  return {
    what,
    expected,
    found: expected - wrong.length,
    wrong,
  };
}

export function together(...books: readonly Book[]): Book {
  return {
    lines: books.flatMap(({ lines }) => lines),
    figures: books.flatMap(({ figures }) => figures),
  };
}
