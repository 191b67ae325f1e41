/** One measured number. Times are medians over several rounds. */
export type Figure = {
  /** The name of what was measured: `SendMessage, warm CPU`. */
  what: string;
  unit: 'ms' | 'us' | 's' | 'per s' | 'power';
  median: number;
  /** The same work without our code, measured in the same run, in alternating rounds. */
  baseline?: { what: string; median: number };
  /** The series and size, for figures that are measured at several sizes: `places, new, finished`, 1,000 places. */
  series?: { of: string; size: number };
  /** The bound on the ratio to the baseline, or on the median. */
  budget?: { of: 'ratio' | 'median'; atMost?: number; atLeast?: number };
};

export function ratioOf({ median, baseline }: Figure): number | undefined {
  return baseline && baseline.median > 0 ? median / baseline.median : undefined;
}

/** The budget as text: `ratio <= 1.35`. */
export function budgetText({ budget }: Figure): string {
  if (!budget) return '';
  const { of, atMost, atLeast } = budget;
  return atMost === undefined ? `${of} >= ${atLeast}` : `${of} <= ${atMost}`;
}

/** Ratios differ by a few per cent from run to run, so a ratio within this tolerance is not missed. */
const ratioTolerance = 0.05;

/** True if the budget is missed. A budget on a ratio is also missed if there is no baseline. */
export function isMissed(figure: Figure): boolean {
  if (!figure.budget) return false;
  const { of, atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = figure.budget;
  const value = of === 'ratio' ? ratioOf(figure) : figure.median;
  const tolerance = of === 'ratio' ? ratioTolerance : 0;
  if (value === undefined) return true;
  return value > atMost * (1 + tolerance) || value < atLeast * (1 - tolerance);
}

/** Linear growth has the power 1; the rest is room for noise. n log n from 1,000 to 10,000 has 1.12. */
const maxGrowth = 1.1;

/**
 * The power of the size with which each series grows between its two largest sizes. Below 1 a fixed part dominates.
 * Leaves out rates, series of fewer than three sizes, and series that contain a 0.
 */
export function measureGrowth(figures: readonly Figure[]): Figure[] {
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
    const budget = { of: 'median', atMost: maxGrowth } as const;
    return [{ what: `growth of ${of}, ${sizes}`, unit: 'power', median, budget }];
  });
}
