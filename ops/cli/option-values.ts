import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import * as z from 'zod/mini';
import { parse } from '../../shared/platform/validation/format-issues.ts';

/** `checkInMinutes` -> `check-in-minutes`, which commander turns back. */
export function optionOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Reads the value of an option or argument: a whole number, from `least` to `most`. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,15}$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
  };
}

/** An option that takes a whole number, and says in its help which ones. */
export function numberOption<Flags extends string>(
  flags: Flags,
  description: string,
  [least, most]: readonly [number, number],
) {
  return new Option(flags, `${description} (${least} to ${most})`).argParser(wholeNumber(least, most));
}

const IsoTime = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** Milliseconds of an ISO 8601 time with its offset, or of a date's midnight in UTC. */
export function time(text: string): number {
  if (IsoTime.safeParse(text).success) return Date.parse(text);
  throw new InvalidArgumentError('It takes a time like 2026-05-20T12:00:00Z or a date.');
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((one) => one === text);
    if (choice === undefined) throw new InvalidArgumentError(`It takes one of ${choices.join(', ')}.`);
    return choice;
  };
}

export function matching(schema: z.ZodMiniType<string>): (text: string) => string {
  return (text) => {
    const result = parse(schema, text);
    if (result.success) return result.data;
    throw new InvalidArgumentError(`It ${result.error.issues[0]?.message}.`);
  };
}

/** Reads an option that may be repeated; after its `--no-` the list begins again. */
export function listOf<Value>(read: (text: string) => Value) {
  return (text: string, before: Value[] | undefined): Value[] => [
    ...(Array.isArray(before) ? before : []),
    read(text),
  ];
}
