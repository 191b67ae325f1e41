import { markdownTable } from '../markdown-table.ts';
import { costOf } from './cost.ts';
import { type Limit, limitsOf } from './limits.ts';
import type { Load } from './load.ts';
import { region } from './prices.ts';
import { usageOf } from './usage.ts';

/** What a load costs and comes near. */
export function findingsOf({ name, load }: { name: string; load: Load }) {
  const usage = usageOf(load);
  return { name, load, cost: costOf(usage), limits: limitsOf(load, usage) };
}

/** Three significant digits: 36,300 and 0.0113. */
function short(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

function dollarTable(head: string, dollars: Readonly<Record<string, number>>): string {
  const rows = Object.entries(dollars).map(([name, value]) => [name, value.toFixed(2)]);
  return markdownTable([head, 'US dollars a month'], rows);
}

const mostTimes = 1_000_000;

/** Beyond that a number says no more than how idle the load is. */
function timesText(multiple: number): string {
  return multiple > mostTimes ? `more than ${short(mostTimes)}` : short(multiple);
}

const shownLimits = 8;

function limitReport(limits: readonly Limit[]): string[] {
  const [first] = limits;
  if (!first) return ['Nothing is near a limit: this load asks for nothing.'];
  const rows = limits
    .slice(0, shownLimits)
    .map(({ multiple, what, used, limit, by }) => [
      what,
      short(used),
      short(limit),
      `${timesText(multiple)} x`,
      by,
    ]);
  return [
    `First to break: ${first.what}, at ${timesText(first.multiple)} times this load.`,
    markdownTable(['limit, the soonest first', 'used', 'limit', 'reached at', 'set by'], rows),
  ];
}

export function reportOf({ name, load, cost, limits }: ReturnType<typeof findingsOf>): string {
  const numbers = Object.entries(load).map(([member, value]) => `${member} ${value.toLocaleString('en')}`);
  return [
    `${name}: ${cost.total.toFixed(2)} US dollars a month (${region}, without tax and free tiers)`,
    numbers.join(', '),
    dollarTable('service', cost.byService),
    dollarTable('area', cost.byArea),
    ...limitReport(limits),
  ].join('\n\n');
}
