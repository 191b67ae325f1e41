import { faultKinds } from '../faults/fault-plan.ts';
import { balances, type Ledger } from './ledger.ts';
import type { FaultRunResult } from './run-under-faults.ts';

const mostNamed = 10;

function ledgerLines({ entries, figures }: Ledger): string[] {
  const width = Math.max(
    ...entries.map(({ what }) => what.length),
    ...figures.map(({ what }) => what.length),
  );
  const number = (value: number | string) => String(value).padStart(9);
  return [
    `${''.padEnd(width)} ${number('expected')} ${number('found')}`,
    ...entries.flatMap((line) => [
      `${line.what.padEnd(width)} ${number(line.expected)} ${number(line.found)}  ${balances(line) ? 'balances' : 'DOES NOT BALANCE'}`,
      ...line.wrong.slice(0, mostNamed).map((id) => `    ${id}`),
      ...(line.wrong.length > mostNamed ? [`    and ${line.wrong.length - mostNamed} more`] : []),
    ]),
    ...figures.map(({ what, value }) => `${what.padEnd(width)} ${number('')} ${number(value)}`),
  ];
}

export function ledgerReport(title: string, ledger: Ledger): string {
  return [title, ...ledgerLines(ledger)].join('\n');
}

/** Everything a reader needs to judge a run under faults, and to repeat it. */
export function chaosReport(seed: number, result: FaultRunResult): string {
  const { ledger, faults, tally, help, drainedSeconds } = result;
  const injected = faultKinds.filter((kind) => faults[kind] > 0).map((kind) => `${kind} ${faults[kind]}`);
  const total = faultKinds.reduce((sum, kind) => sum + faults[kind], 0);
  const responses = Object.entries(tally.responses).map(([response, count]) => `${response}: ${count}`);
  return [
    `${total} faults: ${injected.join(', ')}`,
    `${tally.requests} requests: ${responses.join(', ')}`,
    `drained after ${drainedSeconds.toFixed(1)} s; ${help.redriven} dead letters moved back, ${help.madeDue} callbacks made due as time would`,
    '',
    ledgerReport(`Ledger under faults, seed ${seed}`, ledger),
  ].join('\n');
}
