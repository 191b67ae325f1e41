export interface Recipients {
  /** Each number once, in the order given. */
  readonly numbers: readonly number[];
  readonly duplicates: number;
  /** What is no number, with its line. */
  readonly wrong: readonly { readonly line: number; readonly text: string }[];
}

/** Reads pasted numbers, one per line or separated by commas; spaces, +, - and brackets are left out. */
export function recipientsIn(pasted: string): Recipients {
  const numbers = new Set<number>();
  const wrong: { line: number; text: string }[] = [];
  let given = 0;
  for (const [index, line] of pasted.split('\n').entries()) {
    for (const part of line.split(/[,;]/)) {
      const text = part.trim();
      if (text === '') continue;
      const digits = text.replace(/[\s()+-]/g, '');
      // The contract's: a whole number of 7 to 15 digits.
      if (!/^[1-9]\d{6,14}$/.test(digits)) {
        wrong.push({ line: index + 1, text });
        continue;
      }
      given += 1;
      numbers.add(Number(digits));
    }
  }
  return { numbers: [...numbers], duplicates: given - numbers.size, wrong };
}
