import * as z from 'zod/mini';

/**
 * Reads what a function needs from its environment, all of it, at start: a missing variable stops the
 * function before its first request instead of in the middle of one.
 */
export const readEnv = <const Names extends readonly string[]>(
  ...names: Names
): Record<Names[number], string> => {
  const shape = Object.fromEntries(names.map((name) => [name, z.string().check(z.minLength(1))]));
  return z.object(shape).parse(process.env) as Record<Names[number], string>;
};
