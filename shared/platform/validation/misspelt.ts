import * as z from 'zod/mini';
import type { Issue } from './format-issues.ts';

/** Objects that may have any members, but whose known members must not be misspelt. */
export const protectedMembers = z.registry();

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];

/** The names that another part of the request takes, and what to do with one of them. */
export type Elsewhere = { names: readonly string[]; advice: (name: string, given: unknown) => string };

/**
 * Rule 46: unknown members are ignored, but one that is nearly spelt like a known member of the same object is an
 * issue, because the sender believes that it has an effect; so is one that belongs `elsewhere`. Free objects and values
 * of any form are not looked into.
 */
export function misspeltMembers(schema: Schema, value: unknown, elsewhere?: Elsewhere): Issue[] {
  const issues: Issue[] = [];
  const visit = (at: Schema, given: unknown, path: readonly PropertyKey[]): void => {
    if (typeof given !== 'object' || given === null) return;
    const { def } = (at as z.core.$ZodTypes)._zod;
    if (def.type === 'array' && Array.isArray(given))
      for (const [n, one] of given.entries()) visit(def.element, one, [...path, n]);
    else if (def.type === 'object') visitMembers(at, def, given, path);
    else for (const inner of partsOf(def)) visit(inner, given, path);
  };
  const visitMembers = (
    at: Schema,
    { shape, catchall }: z.core.$ZodObjectDef,
    given: object,
    path: readonly PropertyKey[],
  ): void => {
    const isFree = catchall !== undefined && !protectedMembers.has(at);
    for (const [name, member] of Object.entries(given)) {
      const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (known) visit(known, member, [...path, name]);
      else if (!isFree) {
        const message = hintFor([name, member], Object.keys(shape), elsewhere);
        if (message !== undefined) issues.push({ path: [...path, name], message });
      }
    }
  };
  visit(schema, value, []);
  return issues;
}

/** The names of an object's members, through whatever wraps the object. */
export function memberNames(schema: Schema): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'object' ? Object.keys(def.shape) : partsOf(def).flatMap(memberNames);
}

function hintFor([name, given]: [string, unknown], members: string[], elsewhere?: Elsewhere) {
  const meant = members.find((member) => isNearly(name, member));
  if (meant !== undefined) return `unknown, did you mean ${meant}?`;
  const moved = elsewhere?.names.find((other) => isNearly(name, other));
  return moved && `unknown here, ${elsewhere?.advice(moved, given)}`;
}

/** The schemas that a schema of another kind passes its value on to. */
function partsOf(def: Def): readonly Schema[] {
  if (def.type === 'pipe') return [def.in, def.out];
  if ('innerType' in def) return [def.innerType];
  return [];
}

/** Whether two names differ only by case, `_`, `-`, or one letter too many, too few, wrong or swapped. */
function isNearly(name: string, known: string): boolean {
  return isWithinOneLetter(plain(name), plain(known));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

function isWithinOneLetter(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const restOfA = a.slice(same);
  const restOfB = b.slice(same);
  const isSwapped = restOfA[0] === restOfB[1] && restOfA[1] === restOfB[0];
  return (
    restOfA.slice(1) === restOfB.slice(1) ||
    restOfA.slice(1) === restOfB ||
    restOfA === restOfB.slice(1) ||
    (isSwapped && restOfA.slice(2) === restOfB.slice(2))
  );
}
