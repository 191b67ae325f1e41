import type { Figure } from './section.ts';

/** How many times its baseline a figure is. */
export function ratioOf({ median, baseline }: Figure): number | undefined {
  return baseline && baseline.median > 0 ? median / baseline.median : undefined;
}

/** The budget as it is read: `ratio <= 1.35`. */
export function budgetText({ budget }: Figure): string {
  if (!budget) return '';
  const { of, atMost, atLeast } = budget;
  const bounds = [
    ...(atMost === undefined ? [] : [`<= ${atMost}`]),
    ...(atLeast === undefined ? [] : [`>= ${atLeast}`]),
  ];
  return `${of} ${bounds.join(' and ')}`;
}

/** A budget for a ratio is missed, too, by a figure without a baseline: nobody can say that it holds. */
export function isMissed(figure: Figure): boolean {
  if (!figure.budget) return false;
  const { of, atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY } = figure.budget;
  const value = of === 'ratio' ? ratioOf(figure) : figure.median;
  return value === undefined || !(value <= atMost && value >= atLeast);
}
