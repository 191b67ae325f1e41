import * as z from 'zod/mini';
import { formatIssues, parse } from '../validation/format-issues.ts';

/**
 * Reads all environment variables of a function when it starts: a missing one stops it before its first request,
 * not during one.
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
