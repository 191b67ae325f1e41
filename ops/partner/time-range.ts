import type { OptionSet, Options } from '../cli/options.ts';
import { wrongUsage } from '../cli/stop.ts';

export const rangeOptions: OptionSet = {
  since: {
    value: 'TIME',
    text: 'Only changes from then on: 2026-05-20T12:00:00Z, or a date (its beginning in UTC)',
  },
  until: { value: 'TIME', text: 'Only changes before then' },
};

/** When the message's state changed: from `fromMs` (included) to `toMs` (excluded). */
export function rangeOf(options: Options): { fromMs?: number; toMs?: number } {
  const fromMs = options.instant('since');
  const toMs = options.instant('until');
  if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs) {
    throw wrongUsage('--until must be after --since.');
  }
  return { ...(fromMs === undefined ? {} : { fromMs }), ...(toMs === undefined ? {} : { toMs }) };
}
