import { StartUpError } from '../start-up-error.ts';

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

export type Expression =
  | { readonly kind: 'rate'; readonly everyMs: number }
  /** True when the schedule is due in the minute that begins then (UTC). */
  | { readonly kind: 'cron'; readonly isDue: (minute: Date) => boolean };

type Matches = (value: number) => boolean;

const names: readonly string[] = [
  'JAN',
  'FEB',
  'MAR',
  'APR',
  'MAY',
  'JUN',
  'JUL',
  'AUG',
  'SEP',
  'OCT',
  'NOV',
  'DEC',
];
const weekdays: readonly string[] = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

function numberIn(text: string, words: readonly string[]): number {
  const index = words.indexOf(text.toUpperCase());
  return index >= 0 ? index + 1 : Number(text);
}

function compileField(field: string, words: readonly string[], expression: string): Matches {
  const parts = field.split(',').map((part): Matches => {
    const [, range = '', step] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? [];
    const every = Number(step ?? 1);
    const isAny = range === '*' || range === '?';
    const [first = '', last = step ? '' : first] = range.split('-');
    const from = isAny ? 0 : numberIn(first, words);
    const to = isAny || last === '' ? Number.POSITIVE_INFINITY : numberIn(last, words);
    if (Number.isNaN(from) || Number.isNaN(to) || range === '') {
      throw new StartUpError(`The local runner does not understand "${part}" in ${expression}.`);
    }
    return (value) => value >= from && value <= to && (value - from) % every === 0;
  });
  return (value) => parts.some((matches) => matches(value));
}

function compileCron(fields: readonly string[], expression: string): Expression {
  const words: readonly (readonly string[])[] = [[], [], [], names, weekdays, []];
  const [minute, hour, day, month, weekday, year] = fields.map((field, index) =>
    compileField(field, words[index] ?? [], expression),
  );
  return {
    kind: 'cron',
    isDue: (date) =>
      minute?.(date.getUTCMinutes()) === true &&
      hour?.(date.getUTCHours()) === true &&
      day?.(date.getUTCDate()) === true &&
      month?.(date.getUTCMonth() + 1) === true &&
      weekday?.(date.getUTCDay() + 1) === true &&
      year?.(date.getUTCFullYear()) === true,
  };
}

/** Reads `rate(5 minutes)` and the plain forms of `cron(...)`; `L`, `W` and `#` are refused. */
export function parseScheduleExpression(expression: string): Expression {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression);
  if (rate) return { kind: 'rate', everyMs: Number(rate[1]) * (unitMs[rate[2] ?? ''] ?? 0) };
  const fields = /^cron\((.+)\)$/.exec(expression)?.[1]?.split(/\s+/);
  if (fields?.length === 6) return compileCron(fields, expression);
  throw new StartUpError(`The local runner does not understand the schedule ${expression}.`);
}
