import * as z from 'zod/mini';
import { addIssue } from './add-issue.ts';

/** A moment in milliseconds UTC, with the offset that the partner used. */
export const Moment = z.object({ ms: z.int(), offsetMinutes: z.int() });
export type Moment = z.infer<typeof Moment>;

const shape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)$/;
const form = 'a date and time with an offset, like 2026-06-01T00:00:00+03';
/** The largest offset on Earth is +14:00. */
const maxOffsetMinutes = 14 * 60;

/**
 * A date and time in a request with the offset `+03`, `+0300`, `+03:00` or `Z`; fractions of a second count to the
 * millisecond.
 */
export function dateTime<Value>(toValue: (moment: Moment, text: string) => Value) {
  return z.pipe(
    z.string({ error: ({ input }) => (input === undefined ? `required, ${form}` : `must be ${form}`) }),
    z.transform((text, context): Value => {
      const read = readMoment(text);
      return typeof read === 'string' ? addIssue(context, read) : toValue(read, text);
    }),
  );
}

/** A time in a request, in milliseconds. */
export const Time = dateTime(({ ms }) => ms).register(z.globalRegistry, { format: 'date-time' });

/** The same in a query, in which a plus sign is a space. */
export const QueryTime = z
  .pipe(
    z.transform((text) => (typeof text === 'string' ? text.replace(' ', '+') : text)),
    Time,
  )
  .register(z.globalRegistry, { type: 'string', format: 'date-time' });

/** The moment, or the end of a sentence that says what is wrong with the text. */
export function readMoment(text: string): Moment | string {
  const [, local, fraction = '', sign, hours = '0', minutes = '0'] = shape.exec(text) ?? [];
  if (local === undefined) return `must be ${form}`;
  // Parsed as UTC and printed again: a date that does not exist (30 February, hour 25) changes.
  const localMs = Date.parse(`${local}Z`);
  if (Number.isNaN(localMs) || localTime(localMs) !== local || Number(minutes) > 59)
    return 'is not in the calendar or on the clock';
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset > maxOffsetMinutes) return 'must have an offset from -14 to +14';
  const offsetMinutes = sign === '-' && offset > 0 ? -offset : offset;
  const fractionMs = Number(fraction.padEnd(3, '0').slice(0, 3));
  return { ms: localMs + fractionMs - offsetMinutes * 60_000, offsetMinutes };
}

/** `yyyy-MM-ddTHH:mm:ss` */
export function localTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}
