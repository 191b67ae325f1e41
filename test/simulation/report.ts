import { markdownTable } from '../../bench/print.ts';
import type { Forecast } from './forecast/loads.ts';
import known from './logged-fields.json' with { type: 'json' };
import type { Result } from './run.ts';

/** Returns a line for each entry that does not balance. */
export function wrongs({ ledger }: Result): string[] {
  return ledger.flatMap(({ what, of, wrong }) => {
    const more = wrong.length > 3 ? ` and ${wrong.length - 3} more` : '';
    return wrong.length > 0 ? [`  ${what} (${of}): ${wrong.slice(0, 3).join('; ')}${more}`] : [];
  });
}

function table(numbers: readonly (readonly [name: string, value: number])[]): string[] {
  const sums = new Map<string, number>();
  for (const [name, value] of numbers) sums.set(name, (sums.get(name) ?? 0) + value);
  return [...sums].map(([name, value]) => `  ${String(value).padStart(9)}  ${name}`);
}

/** The properties for which none of the runs had an item to check. */
export function neverJudged(results: readonly Result[]): string[] {
  const entries = results.flatMap(({ ledger }) => ledger);
  const judged = new Set(entries.filter(({ of }) => of > 0).map(({ what }) => what));
  return [...new Set(entries.map(({ what }) => what))].filter((what) => !judged.has(what));
}

/**
 * The fields and metrics of workers, of those that about every other run logs, which none of the runs has logged. Those
 * of operations are compared where their costs are measured.
 */
export function neverLogged(runs: readonly { logged: ReadonlySet<string> }[]): string[] {
  return Object.entries(known)
    .flatMap(([code, fields]) => fields.split(' ').map((field) => `${code} ${field}`))
    .filter((one) => !runs.some(({ logged }) => logged.has(one)));
}

/** Sums up what all runs checked. */
export function summary(results: readonly Result[], seconds: number): string {
  const entries = results.flatMap(({ ledger }) => ledger);
  const hours = results.reduce((sum, result) => sum + result.hours, 0);
  const bad = results.filter(({ balanced }) => !balanced);
  return [
    'Checked',
    ...table(entries.map(({ what, of }) => [what, of])),
    'Faults',
    ...table(results.flatMap(({ faults }) => Object.entries(faults))),
    '',
    `${results.length === 1 ? '1 run' : `${results.length} runs`}, ${Math.round(hours)} simulated hours in ${Math.round(seconds)} s: ${(hours / seconds).toFixed(1)} a second.`,
    bad.length === 0
      ? 'Everything balances.'
      : `${bad.length} runs DO NOT BALANCE: seeds ${bad.map(({ seed }) => seed).join(', ')}.`,
    ...(results.length === 1 ? results.map(({ seed, hash }) => `Seed ${seed}, hash ${hash}.`) : []),
  ].join('\n');
}

/** Returns the forecast as a Markdown table; docs/performance.md has the p99 of each load. */
export function forecastTable(loads: readonly Forecast[]): string {
  const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
  const rows = loads.map(({ name, finishedSeconds, p99Ms, failed, slowdown }) => [
    `\`${name}\``,
    `${numbers.format(finishedSeconds)} s`,
    `${numbers.format(p99Ms)} ms`,
    numbers.format(failed),
    slowdown === undefined ? '' : `${slowdown}x`,
  ]);
  return markdownTable(['load', 'finished', 'p99', 'failed', 'slowdown'], rows);
}
