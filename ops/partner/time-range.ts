import { Option } from '@commander-js/extra-typings';
import { usageError } from '../../build/command-line.ts';
import { time } from '../cli/option-values.ts';

export const sinceOption = new Option(
  '--since <time>',
  'Only changes from then on: 2026-05-20T12:00:00Z, or a date (its beginning in UTC)',
).argParser(time);
export const untilOption = new Option('--until <time>', 'Only changes before then').argParser(time);

interface RangeOptions {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** When the message's state changed: from `fromMs` (included) to `toMs` (excluded). */
export function rangeOf({ since, until }: RangeOptions): { fromMs?: number; toMs?: number } {
  if (since !== undefined && until !== undefined && since >= until) {
    throw usageError('--until must be after --since.');
  }
  return {
    ...(since === undefined ? {} : { fromMs: since }),
    ...(until === undefined ? {} : { toMs: until }),
  };
}
