import { markdownTable } from '../print.ts';
import { estimateLimits, type Limit } from './limits.ts';
import type { Load } from './load.ts';
import { type Price, prices, region } from './prices.ts';
import { estimateUsage } from './usage.ts';
import { sumUsage, type Usage } from './use.ts';

function sumDollars(usage: readonly Usage[], charges: readonly Price[]): number {
  return charges.reduce(
    (sum, { of, dollars, per }) => sum + (sumUsage(usage, of, 'month') * dollars) / per,
    0,
  );
}

/** US dollars a month. */
function estimateCost(usage: readonly Usage[]) {
  const byService = Map.groupBy<string, Price>(prices, ({ service }) => service);
  return {
    total: sumDollars(usage, prices),
    byService: Object.fromEntries([...byService].map(([name, of]) => [name, sumDollars(usage, of)])),
  };
}

export function estimate({ name, load }: { name: string; load: Load }) {
  const usage = estimateUsage(load);
  return { name, load, cost: estimateCost(usage), limits: estimateLimits(load, usage) };
}

/** Three significant digits: 36,300 and 0.0113. */
function short(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

/** Above a million a multiple only says how idle the load is. */
function timesText(multiple: number): string {
  return multiple > 1_000_000 ? 'more than 1,000,000' : short(multiple);
}

const shownLimits = 8;

function limitReport(limits: readonly Limit[]): string[] {
  const [first] = limits;
  if (!first) return ['Nothing is near a limit: this load asks for nothing.'];
  const rows = limits.slice(0, shownLimits).map(({ multiple, what, used, limit, by }) => {
    return [what, short(used), short(limit), `${timesText(multiple)} x`, by];
  });
  return [
    `First to break: ${first.what}, at ${timesText(first.multiple)} times this load.`,
    markdownTable(['limit, the soonest first', 'used', 'limit', 'reached at', 'set by'], rows),
  ];
}

export function formatReport({ name, load, cost, limits }: ReturnType<typeof estimate>): string {
  const numbers = Object.entries(load).map(([member, value]) => `${member} ${value.toLocaleString('en')}`);
  const services = Object.entries(cost.byService).map(([service, value]) => [service, value.toFixed(2)]);
  return [
    `${name}: ${cost.total.toFixed(2)} US dollars a month (${region}, without tax and free tiers)`,
    numbers.join(', '),
    markdownTable(['service', 'US dollars a month'], services),
    ...limitReport(limits),
  ].join('\n\n');
}
