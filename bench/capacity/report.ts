import { type Cost, services } from './cost.ts';
import type { Demand } from './limits.ts';
import type { Load } from './load.ts';
import type { Run } from './plot.ts';
import { region } from './prices.ts';
import { areas, type MonthlyUsage } from './usage.ts';

export interface Findings {
  readonly name: string;
  readonly load: Load;
  readonly usage: MonthlyUsage;
  readonly cost: Cost;
  readonly demand: Demand;
}

/** Three digits that count: 36,300 and 0.0113. */
function short(value: number): string {
  return value === 0
    ? '0'
    : Number(value.toPrecision(3)).toLocaleString('en', { maximumSignificantDigits: 3 });
}

function dollars(value: number): string {
  return value.toFixed(2);
}

/** A table of Markdown, which reads well on a terminal too. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, n) => Math.max(cell.length, ...rows.map((row) => row[n]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, n) => (n === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

export function costTable(cost: Cost): string {
  return table(
    ['service', 'US dollars a month', 'area', 'US dollars a month'],
    Array.from({ length: Math.max(services.length, areas.length) }, (_, n) => {
      const service = services[n];
      const area = areas[n];
      return [
        service ?? '',
        service ? dollars(cost.byService[service]) : '',
        area ?? '',
        area ? dollars(cost.byArea[area]) : '',
      ];
    }),
  );
}

const mostTimes = 1_000_000;

/** Beyond that a number says no more than how idle the load is. */
function times(multiple: number): string {
  return multiple > mostTimes ? `more than ${short(mostTimes)}` : short(multiple);
}

export function limitTable({ limits }: Demand): string {
  return limits.length === 0
    ? 'Nothing is near a limit: this load asks for nothing.'
    : table(
        ['limit, the soonest first', 'used', 'limit', 'reached at', 'set by'],
        limits
          .slice(0, 8)
          .map(({ what, used, limit, multiple, by }) => [
            what,
            short(used),
            short(limit),
            `${times(multiple)} x`,
            by,
          ]),
      );
}

function firstToBreak([first]: Demand['limits']): string[] {
  return first ? [`First to break: ${first.what}, at ${times(first.multiple)} times this load.`, ''] : [];
}

function newList(seconds: number): string[] {
  return seconds > 0
    ? [`A list that is all new takes ${short(seconds)} s at least: one key takes 1,000 writes a second.`]
    : [];
}

function busiestSecond({
  writesASecond,
  readsASecond,
  partitions,
  functionsAtOnce,
  newListSeconds,
}: Demand): string {
  return [
    `At the busiest second: ${short(writesASecond)} write and ${short(readsASecond)} read units, ` +
      `${partitions} table partitions, ${short(functionsAtOnce)} functions at once.`,
    ...newList(newListSeconds),
  ].join(' ');
}

export function needTable(demand: Demand): string {
  return table(
    ['function', 'invocations a second', 'ms each (reckoned)', 'at once', 'cap'],
    demand.needs.map(({ name, invocationsASecond, ms, atOnce, cap }) => [
      name,
      short(invocationsASecond),
      short(ms),
      short(atOnce),
      cap === undefined ? '' : short(cap),
    ]),
  );
}

export function reportOf(findings: Findings): string {
  const { name, load, cost, demand } = findings;
  return [
    `${name}: ${dollars(cost.total)} US dollars a month (${region}, without tax and free tiers)`,
    `load: ${Object.entries(load)
      .map(([member, value]) => `${member} ${value.toLocaleString('en')}`)
      .join(', ')}`,
    '',
    costTable(cost),
    '',
    ...firstToBreak(demand.limits),
    limitTable(demand),
    '',
    busiestSecond(demand),
    '',
    needTable(demand),
  ].join('\n');
}

const shownMinutes = [5, 60, 120, 180];

export function simulationReport(runs: readonly Run[]): string {
  return table(
    [
      '1,000,000 pushes a minute for 60 minutes',
      'at minute',
      'waiting',
      'waited, min',
      'delivered',
      'stream, s',
      'hidden',
      'rows of the dead',
    ],
    runs.flatMap(({ scenario, minutes }) =>
      minutes
        .filter(({ minute }) => shownMinutes.includes(minute))
        .map((at) => [
          scenario.name,
          String(at.minute),
          short(Math.round(at.callbacksWaiting)),
          (at.callbackAgeSeconds / 60).toFixed(1),
          short(Math.round(at.callbacksDelivered)),
          short(at.iteratorAgeSeconds),
          short(Math.round(at.inFlightHidden)),
          short(Math.round(at.rowsOfDead)),
        ]),
    ),
  );
}
