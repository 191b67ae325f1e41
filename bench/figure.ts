/** One measured number. Times are medians over several rounds. */
export interface Figure {
  /** What was measured: `SendMessage, warm CPU`. */
  readonly what: string;
  readonly unit: 'ms' | 'us' | 's' | 'kB' | 'per s' | 'units' | 'requests' | 'invocations' | 'power';
  readonly median: number;
  /** Half the distance between the quartiles, in the same unit; absent where every round gives the same. */
  readonly spread?: number;
  /** The same work without our code, measured in the same run, in alternating rounds. */
  readonly baseline?: { readonly what: string; readonly median: number };
  /** What it is one of several sizes of: `sync, new, finished`, at 1,000 places. */
  readonly series?: { readonly of: string; readonly size: number };
  /** What must hold: for the ratio to the baseline, or for the median itself. */
  readonly budget?: { readonly of: 'ratio' | 'median'; readonly atMost?: number; readonly atLeast?: number };
}

/** How many times its baseline a figure is. */
export function ratioOf({ median, baseline }: Figure): number | undefined {
  return baseline && baseline.median > 0 ? median / baseline.median : undefined;
}

/** The budget as text: `ratio <= 1.35`. */
export function budgetText({ budget }: Figure): string {
  if (!budget) return '';
  const { of, atMost, atLeast } = budget;
  return atMost === undefined ? `${of} >= ${atLeast}` : `${of} <= ${atMost}`;
}

/** Ratios differ by a few per cent from run to run: only what is further beyond its budget is missed. */
const ratioTolerance = 0.05;

/** A budget for a ratio is missed, too, by a figure without a baseline: nobody can say that it holds. */
export function isMissed(figure: Figure): boolean {
  if (!figure.budget) return false;
  const { of, atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = figure.budget;
  const value = of === 'ratio' ? ratioOf(figure) : figure.median;
  const tolerance = of === 'ratio' ? ratioTolerance : 0;
  const holds =
    value !== undefined && value <= atMost * (1 + tolerance) && value >= atLeast * (1 - tolerance);
  return !holds;
}

/** Linear, with room for noise. n log n from 1,000 to 10,000 is 1.12. */
const maxGrowth = 1.1;

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
    return [
      {
        what: `growth of ${of}, ${sizes}`,
        unit: 'power',
        median,
        budget: { of: 'median', atMost: maxGrowth },
      },
    ];
  });
}
