import { jsonOrText } from '../../shared/platform/json/json-or-text.ts';
import { isRecord } from '../template/is-record.ts';
import type { BorrowedEngines } from './borrow-engines.ts';
import type { Invocation } from './invoke-once.ts';

/** The document that `--json` prints, with the response exactly as the function returned it. */
export type Report = Invocation & {
  function: string;
  event: string;
  engines: BorrowedEngines['whose'];
};

/** Parses the body of an HTTP response, which is JSON text inside JSON. */
function readable(response: unknown): unknown {
  if (!isRecord(response) || typeof response['body'] !== 'string') return response;
  return { ...response, body: jsonOrText(response['body']) };
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** The report for people. */
export function textReport({ units: { read, write, calls }, ...report }: Report): string {
  return [
    `${report.function} with ${report.event}, on engines ${report.engines}`,
    'error' in report ? `Failed\n${pretty(report.error)}` : `Response\n${pretty(readable(report.response))}`,
    `Log\n${report.log.length > 0 ? report.log.join('\n') : '(nothing)'}`,
    `Init ${report.initMs} ms, duration ${report.durationMs} ms, table: ${read} read units, ${write} write units, ${calls} calls`,
  ].join('\n\n');
}
