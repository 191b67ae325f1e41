import { type Price, prices } from './prices.ts';
import { sumOf, type Usage } from './usage.ts';

function dollarsOf(usage: readonly Usage[], charges: readonly Price[]): number {
  return charges.reduce((sum, { of, dollars, per }) => sum + (sumOf(usage, of, 'month') * dollars) / per, 0);
}

/** US dollars a month. */
export function costOf(usage: readonly Usage[]) {
  const byService = Map.groupBy<string, Price>(prices, ({ service }) => service);
  const byArea = Map.groupBy(usage, ({ area }) => area);
  return {
    total: dollarsOf(usage, prices),
    byService: Object.fromEntries([...byService].map(([name, of]) => [name, dollarsOf(usage, of)])),
    byArea: Object.fromEntries([...byArea].map(([name, of]) => [name, dollarsOf(of, prices)])),
  };
}
