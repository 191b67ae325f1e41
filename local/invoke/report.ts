import { isRecord } from '../template/resource.ts';
import type { BorrowedEngines } from './borrow-engines.ts';
import type { Invocation, Outcome } from './invoke-once.ts';

export interface Told extends Invocation {
  readonly functionName: string;
  readonly eventFile: string;
  readonly engines: BorrowedEngines['whose'];
}

function ms(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The body of an HTTP answer is a JSON text inside JSON: easier to read as what it says. */
function readable(response: unknown): unknown {
  if (!isRecord(response) || typeof response['body'] !== 'string') return response;
  try {
    return { ...response, body: JSON.parse(response['body']) };
  } catch {
    return response;
  }
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function outcomeText(outcome: Outcome): string {
  return 'response' in outcome
    ? `Answer\n${pretty(readable(outcome.response))}`
    : `Failed\n${pretty(outcome.error)}`;
}

/** For people. */
export function textReport(told: Told): string {
  const { read, write, calls } = told.units;
  return [
    `${told.functionName} with ${told.eventFile}, on engines ${told.engines}`,
    outcomeText(told.outcome),
    `Log\n${told.log.length > 0 ? told.log.join('\n') : '(nothing)'}`,
    `Init ${ms(told.initMs)} ms, duration ${ms(told.durationMs)} ms, table: ${read} read units, ${write} write units, ${calls} calls`,
  ].join('\n\n');
}

/** For programs: the answer exactly as the function gave it. */
export function jsonReport({ functionName, eventFile, engines, outcome, ...told }: Told): string {
  return pretty({
    function: functionName,
    event: eventFile,
    engines,
    ...outcome,
    log: told.log,
    initMs: ms(told.initMs),
    durationMs: ms(told.durationMs),
    units: told.units,
  });
}
