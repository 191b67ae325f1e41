import { isRecord } from '../template/is-record.ts';
import type { BorrowedEngines } from './borrow-engines.ts';
import type { Invocation, Outcome } from './invoke-once.ts';

export interface Report extends Invocation {
  readonly functionName: string;
  readonly eventFile: string;
  readonly engines: BorrowedEngines['whose'];
}

function ms(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Parses the body of an HTTP response, which is JSON text inside JSON. */
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
    ? `Response\n${pretty(readable(outcome.response))}`
    : `Failed\n${pretty(outcome.error)}`;
}

/** The report for people. */
export function textReport(report: Report): string {
  const { read, write, calls } = report.units;
  return [
    `${report.functionName} with ${report.eventFile}, on engines ${report.engines}`,
    outcomeText(report.outcome),
    `Log\n${report.log.length > 0 ? report.log.join('\n') : '(nothing)'}`,
    `Init ${ms(report.initMs)} ms, duration ${ms(report.durationMs)} ms, table: ${read} read units, ${write} write units, ${calls} calls`,
  ].join('\n\n');
}

/** The report for programs, with the response exactly as the function returned it. */
export function jsonReport({ functionName, eventFile, engines, outcome, ...report }: Report): string {
  return pretty({
    function: functionName,
    event: eventFile,
    engines,
    ...outcome,
    log: report.log,
    initMs: ms(report.initMs),
    durationMs: ms(report.durationMs),
    units: report.units,
  });
}
