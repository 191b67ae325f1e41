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
