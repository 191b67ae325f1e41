import { StartUpError } from '../start-up-error.ts';
import { isRecord } from '../template/resource.ts';
import { compileMatcher, type Matches } from './value-matchers.ts';

/** True when the event has what the pattern asks for. */
export type Passes = (event: unknown) => boolean;

function alternatives(value: unknown, where: string): Matches[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new StartUpError(`The event pattern has no list of values at ${where}.`);
  }
  return value.map((item) => compileMatcher(item, where));
}

/** A member that is an array passes when one of its elements does; a missing one is `undefined`. */
function candidates(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function compileMember(name: string, pattern: unknown, path: string): Passes {
  const where = path === '' ? name : `${path}.${name}`;
  if (isRecord(pattern)) {
    const passes = compileObject(pattern, where);
    return (event) => {
      const members = candidates(isRecord(event) ? event[name] : undefined);
      return members.some((member) => passes(member));
    };
  }
  const matchers = alternatives(pattern, where);
  return (event) => {
    const values = candidates(isRecord(event) ? event[name] : undefined);
    return matchers.some((matches) => values.some((value) => matches(value)));
  };
}

function compileObject(pattern: Record<string, unknown>, path: string): Passes {
  const all = Object.entries(pattern).map(([name, value]): Passes => {
    if (name !== '$or') return compileMember(name, value, path);
    if (!Array.isArray(value))
      throw new StartUpError(`The event pattern has a $or without a list at ${path || 'its top'}.`);
    const some = value.map((choice) => compileObject(isRecord(choice) ? choice : {}, path));
    return (event) => some.some((passes) => passes(event));
  });
  return (event) => all.every((passes) => passes(event));
}

/** Compiles a pattern of EventBridge's language, as event source mappings use it. */
export function compilePattern(json: string): Passes {
  let pattern: unknown;
  try {
    pattern = JSON.parse(json);
  } catch {
    throw new StartUpError(`The event pattern is not JSON: ${json}`);
  }
  if (!isRecord(pattern)) throw new StartUpError(`The event pattern is not an object: ${json}`);
  return compileObject(pattern, '');
}

/** Several filters of one mapping: one that passes is enough; none at all lets everything pass. */
export function compileFilters(patterns: readonly string[]): Passes {
  const filters = patterns.map(compilePattern);
  return filters.length === 0 ? () => true : (event) => filters.some((passes) => passes(event));
}
