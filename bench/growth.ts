import type { Figure } from './figure.ts';

/** Linear, with room for noise. n log n from 1,000 to 10,000 is 1.12. */
const atMost = 1.1;

/**
 * How each series grows between its two largest sizes: with the size to this power. Below 1 a fixed part dominates. A
 * rate grows the other way round, and a series of fewer than three sizes, or with a 0 in it, says nothing.
 */
export function growthOf(figures: readonly Figure[]): Figure[] {
  const series = Map.groupBy(figures, (figure) => figure.series?.of);
  return [...series].flatMap(([of, members]): Figure[] => {
    const points = members
      .map(({ series, median, unit }) => ({ size: series?.size ?? 0, value: median, unit }))
      .toSorted((a, b) => a.size - b.size);
    const [before, last] = points.slice(-2);
    const measurable = points.length >= 3 && points.every(({ value, unit }) => value > 0 && unit !== 'per s');
    if (of === undefined || !before || !last || !measurable) return [];
    const median = Math.log(last.value / before.value) / Math.log(last.size / before.size);
    const sizes = `${before.size.toLocaleString('en')} to ${last.size.toLocaleString('en')}`;
    return [{ what: `growth of ${of}, ${sizes}`, unit: 'power', median, budget: { of: 'median', atMost } }];
  });
}
