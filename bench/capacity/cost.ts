import { type Price, prices } from './prices.ts';
import { sumOf, type Usage } from './usage.ts';

function dollarsOf(usage: readonly Usage[], charges: readonly Price[]): number {
  return charges.reduce((sum, { of, dollars, per }) => sum + (sumOf(usage, of, 'month') * dollars) / per, 0);
}

function namesOf<Name extends string>(names: readonly Name[]): Name[] {
  return [...new Set(names)];
}

/** US dollars a month. */
export function costOf(usage: readonly Usage[]) {
  const byService = namesOf(prices.map(({ service }) => service)).map((name) => {
    const charges = prices.filter(({ service }) => service === name);
    return [name, dollarsOf(usage, charges)] as const;
  });
  const byArea = namesOf(usage.map(({ area }) => area)).map((name) => {
    const rows = usage.filter(({ area }) => area === name);
    return [name, dollarsOf(rows, prices)] as const;
  });
  return {
    total: dollarsOf(usage, prices),
    byService: Object.fromEntries(byService),
    byArea: Object.fromEntries(byArea),
  };
}

export type Cost = ReturnType<typeof costOf>;
