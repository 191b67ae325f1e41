import type { Figure } from './section.ts';

/** The value below which `share` (0 to 1) of the values lie; between two values it is interpolated. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new Error('nothing was measured');
  return below + (above - below) * (position - Math.floor(position));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Half the distance between the quartiles. */
export function spread(values: readonly number[]): number {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / 2;
}

/** What a figure says of its rounds. One round has no spread. */
export function middle(values: readonly number[]): Pick<Figure, 'median' | 'spread'> {
  return {
    median: median(values),
    ...(values.length > 1 ? { spread: spread(values) } : {}),
  };
}

export interface Rounds<Value> {
  readonly subject: readonly Value[];
  readonly baseline: readonly Value[];
}

/**
 * Measures the one and the other in turns, so that what else the machine does hits both. The order changes with each
 * round (A B, B A, A B), so that neither is always the one that finds the caches cold.
 */
export async function alternate<Value>(
  rounds: number,
  subject: () => Promise<Value>,
  baseline: () => Promise<Value>,
): Promise<Rounds<Value>> {
  const found: { subject: Value[]; baseline: Value[] } = { subject: [], baseline: [] };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['subject', 'baseline'] as const) : (['baseline', 'subject'] as const);
    for (const which of order) found[which].push(await (which === 'subject' ? subject() : baseline()));
  }
  return found;
}
