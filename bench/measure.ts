import { type Figure, isMissed } from './figure.ts';

/** The value below which `share` (0 to 1) of the values lie; between two values it is interpolated. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new Error('nothing was measured');
  return below + (above - below) * (position - Math.floor(position));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export type Rounds<Value> = {
  subject: readonly Value[];
  baseline: readonly Value[];
};

/** The medians of subject and baseline of what `valueIn` takes from each round. */
export function compared<Value>(
  what: string,
  { subject, baseline }: Rounds<Value>,
  valueIn: (round: Value) => number,
): Pick<Figure, 'median' | 'baseline'> {
  return { median: median(subject.map(valueIn)), baseline: { what, median: median(baseline.map(valueIn)) } };
}

/**
 * Measures subject and baseline in turns, so that other load on the machine affects both. The order changes with each
 * round (A B, B A, A B), so that neither always runs first, with cold caches. Where a figure misses its budget, they are
 * taken from three times as many rounds: other load comes and goes, and what our code costs stays.
 */
export async function measure<Value>(
  rounds: number,
  subject: () => Promise<Value>,
  baseline: () => Promise<Value>,
  figuresOf: (found: Rounds<Value>) => Figure[],
): Promise<Figure[]> {
  const found: { subject: Value[]; baseline: Value[] } = { subject: [], baseline: [] };
  for (const wanted of [rounds, 3 * rounds]) {
    for (let round = found.subject.length; round < wanted; round++) {
      if (round % 2 === 0) found.subject.push(await subject());
      found.baseline.push(await baseline());
      if (round % 2 !== 0) found.subject.push(await subject());
    }
    if (!figuresOf(found).some(isMissed)) break;
  }
  return figuresOf(found);
}
