import type { Result } from './run.ts';

/** What did not balance, one line each. */
export function wrongs({ ledger }: Result): string[] {
  return ledger.entries
    .filter(({ wrong }) => wrong.length > 0)
    .map(({ what, of, wrong }) => {
      const more = wrong.length > 3 ? ` and ${wrong.length - 3} more` : '';
      return `  ${what} (${of}): ${wrong.slice(0, 3).join('; ')}${more}`;
    });
}

function add(into: Map<string, number>, numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) into.set(name, (into.get(name) ?? 0) + value);
}

function table(rows: Iterable<readonly [string, number]>): string[] {
  return [...rows].map(([name, value]) => `  ${String(value).padStart(9)}  ${name}`);
}

/** What all runs looked at together, so that a check that never had anything to check is seen. */
export function summary(results: readonly Result[], seconds: number): string {
  const checked = new Map<string, number>();
  const figures = new Map<string, number>();
  const faults = new Map<string, number>();
  let hours = 0;
  for (const { ledger, faults: happened, hours: simulated } of results) {
    add(checked, Object.fromEntries(ledger.entries.map(({ what, of }) => [what, of])));
    add(figures, ledger.figures);
    add(faults, happened);
    hours += simulated;
  }
  const bad = results.filter(({ balanced }) => !balanced);
  return [
    'Checked',
    ...table(checked),
    'Seen',
    ...table(figures),
    'Faults',
    ...table(faults),
    '',
    `${results.length === 1 ? '1 run' : `${results.length} runs`}, ${Math.round(hours)} simulated hours in ${Math.round(seconds)} s: ${(hours / seconds).toFixed(1)} a second.`,
    bad.length === 0
      ? 'Everything balances.'
      : `${bad.length} runs DO NOT BALANCE: seeds ${bad.map(({ seed }) => seed).join(', ')}.`,
  ].join('\n');
}
