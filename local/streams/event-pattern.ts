import { isDeepStrictEqual } from 'node:util';
import { failure } from '../../ops/cli/command-line.ts';
import { isRecord } from '../template/is-record.ts';

/** True when the event has what the pattern asks for. */
export type Matches = (event: unknown) => boolean;

/**
 * `{"eventName": ["INSERT", "MODIFY"]}`: each member of the pattern lists the texts that the event may have there, or says
 * that it must not be there.
 */
function compile(pattern: unknown, path: string): Matches {
  if (isDeepStrictEqual(pattern, [{ exists: false }])) return (value) => value === undefined;
  if (Array.isArray(pattern) && pattern.every((value) => typeof value === 'string')) {
    const texts: readonly unknown[] = pattern;
    return (value) => texts.includes(value);
  }
  if (!isRecord(pattern)) {
    throw failure(
      `The local runner supports only lists of texts and exists: false in event patterns, not what ${path} has.`,
    );
  }
  const members = Object.entries(pattern).map(([name, value]): Matches => {
    const matches = compile(value, path === '' ? name : `${path}.${name}`);
    return (event) => matches(isRecord(event) ? event[name] : undefined);
  });
  return (event) => members.every((matches) => matches(event));
}

/** Compiles the filters of one event source mapping: an event that matches one of them passes. */
export function compileFilters(patterns: readonly string[]): Matches {
  const filters = patterns.map((pattern) => compile(JSON.parse(pattern), ''));
  return (event) => filters.some((matches) => matches(event));
}
