import * as z from 'zod/mini';
import { formatIssues, parse } from '../validation/format-issues.ts';

/**
 * Reads what a function needs from its environment, all of it, at start: a missing variable stops the
 * function before its first request instead of in the middle of one.
 */
export function readEnv<const Names extends readonly string[]>(
  ...names: Names
): Record<Names[number], string> {
  const shape = Object.fromEntries(names.map((name) => [name, z.string().check(z.minLength(1))]));
  const read = parse(z.object(shape), process.env);
  if (!read.success)
    throw new Error(`the environment lacks what the function needs: ${formatIssues(read.error)}`);
  return read.data as Record<Names[number], string>;
}
