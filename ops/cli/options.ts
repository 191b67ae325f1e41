import { readArguments } from '../../infra/arguments.ts';
import { readInstant } from './instant.ts';
import { wrongUsage } from './stop.ts';

export interface Option {
  /** What its value is called in the help; absent for a flag. */
  readonly value?: string;
  readonly text: string;
  readonly repeatable?: boolean;
}

export type OptionSet = Readonly<Record<string, Option>>;

/** What was typed behind a command. */
export interface Typed {
  readonly operands: readonly string[];
  readonly options: Options;
}

/** Reads options by their names; a value that cannot be meant stops with a sentence. */
export interface Options {
  has(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): string[];
  /** A whole number, from `least` to `most`. */
  wholeNumber(name: string, least: number, most: number): number | undefined;
  /** Milliseconds. */
  instant(name: string): number | undefined;
  oneOf<const Choice extends string>(name: string, choices: readonly Choice[]): Choice[];
}

function optionsOf(values: Readonly<Record<string, unknown>>): Options {
  const texts = (name: string): string[] => [values[name] ?? []].flat().map(String);
  const text = (name: string): string | undefined => texts(name)[0];
  return {
    has: (name) => values[name] !== undefined,
    text,
    texts,
    wholeNumber: (name, least, most) => {
      const given = text(name);
      if (given === undefined) return undefined;
      const number = Number(given);
      if (/^\d{1,15}$/.test(given) && number >= least && number <= most) return number;
      throw wrongUsage(`--${name} takes a whole number from ${least} to ${most}, not "${given}".`);
    },
    instant: (name) => {
      const given = text(name);
      if (given === undefined) return undefined;
      const atMs = readInstant(given);
      if (atMs !== undefined) return atMs;
      throw wrongUsage(`--${name} takes a time like 2026-05-20T12:00:00Z or a date, not "${given}".`);
    },
    oneOf: <const Choice extends string>(name: string, choices: readonly Choice[]) =>
      texts(name).map((given) => {
        const choice = choices.find((one) => one === given);
        if (choice !== undefined) return choice;
        throw wrongUsage(`--${name} takes one of ${choices.join(', ')}, not "${given}".`);
      }),
  };
}

/** Splits what was typed into operands and the values of the options that there are. */
export function readOptions(args: readonly string[], options: OptionSet): Typed {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { value, repeatable = false }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: repeatable },
    ]),
  );
  const read = readArguments(args, { options: config, allowPositionals: true });
  if (typeof read === 'string') throw wrongUsage(`${read}.`);
  return { operands: read.positionals, options: optionsOf(read.values) };
}
