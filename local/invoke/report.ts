import { isRecord } from '../template/resource.ts';
import type { BorrowedEngines } from './borrow-engines.ts';
import type { Invocation, Outcome } from './invoke-once.ts';

export interface Told extends Invocation {
  readonly functionName: string;
  readonly eventFile: string;
  readonly engines: BorrowedEngines['whose'];
}

const ms = (value: number): number => Math.round(value * 10) / 10;

/** The body of an HTTP answer is a JSON text inside JSON: easier to read as what it says. */
const readable = (answer: unknown): unknown => {
  if (!isRecord(answer) || typeof answer['body'] !== 'string') return answer;
  try {
    return { ...answer, body: JSON.parse(answer['body']) };
  } catch {
    return answer;
  }
};

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

const outcomeText = (outcome: Outcome): string =>
  'answer' in outcome ? `Answer\n${pretty(readable(outcome.answer))}` : `Failed\n${pretty(outcome.error)}`;

/** For people. */
export const textReport = (told: Told): string => {
  const { read, write, calls } = told.units;
  return [
    `${told.functionName} with ${told.eventFile}, on engines ${told.engines}`,
    outcomeText(told.outcome),
    `Log\n${told.log.length > 0 ? told.log.join('\n') : '(nothing)'}`,
    `Init ${ms(told.initMs)} ms, duration ${ms(told.durationMs)} ms, table: ${read} read units, ${write} write units, ${calls} calls`,
  ].join('\n\n');
};

/** For programs: the answer exactly as the function gave it. */
export const jsonReport = ({ functionName, eventFile, engines, outcome, ...told }: Told): string =>
  pretty({
    function: functionName,
    event: eventFile,
    engines,
    ...outcome,
    log: told.log,
    initMs: ms(told.initMs),
    durationMs: ms(told.durationMs),
    units: told.units,
  });
