import * as z from 'zod/mini';
import type { Issue } from './format-issues.ts';

/** Objects that may have any members, but whose known members must not be misspelt. */
export const protectedMembers = z.registry();

type Schema = z.core.$ZodType;

/** The names that another part of the request takes, and what to do with one of them. */
export type Elsewhere = { names: readonly string[]; advice: (name: string, given: unknown) => string };

/** What a schema knows of a value: the elements of a list, or the members of an object. */
type Form = { elements: readonly Form[] } | ObjectForm;
type ObjectForm = {
  known: ReadonlySet<string>;
  /** The members that have forms of their own. */
  inner: ReadonlyMap<string, readonly Form[]>;
  /** Whether unknown names are compared with the known ones: in a free object they mean something else. */
  isCompared: boolean;
};

/** The letters of a name that an unknown one may have meant, and the message in that case. */
type Candidate = { letters: string; message: (given: unknown) => string };

/**
 * Rules 46 and 59: unknown members are ignored, but one that is nearly spelt like a known member that the same object
 * lacks is an issue, because the sender believes that it has an effect; so is one that belongs `elsewhere`. Free objects
 * and values of any form are not looked into. There is at most one issue for each known member of each object, however
 * many unknown ones resemble it.
 */
export function misspeltMembers(schema: Schema, value: unknown, elsewhere?: Elsewhere): Issue[] {
  const issues: Issue[] = [];
  const visit = (forms: readonly Form[], given: unknown, path: readonly PropertyKey[]): void => {
    if (typeof given !== 'object' || given === null) return;
    for (const form of forms) {
      if ('elements' in form) {
        if (Array.isArray(given))
          for (const [n, one] of given.entries()) visit(form.elements, one, [...path, n]);
      } else if (!Array.isArray(given)) {
        for (const [name, inner] of form.inner)
          if (Object.hasOwn(given, name)) visit(inner, Reflect.get(given, name), [...path, name]);
        for (const { name, message } of misspeltIn(form, given, elsewhere))
          issues.push({ path: [...path, name], message });
      }
    }
  };
  visit(formsOf(schema), value, []);
  return issues;
}

/** The names of an object's members, through whatever wraps the object. */
export function memberNames(schema: Schema): string[] {
  return formsOf(schema).flatMap((form) => ('known' in form ? [...form.known] : []));
}

const formsBySchema = new WeakMap<Schema, readonly Form[]>();

/** The forms of a schema, made once. Parts in which nothing is compared have none, so that they are not visited. */
function formsOf(schema: Schema): readonly Form[] {
  const before = formsBySchema.get(schema);
  if (before) return before;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const forms = def.type === 'object' ? [objectForm(schema, def)] : wrappedForms(def);
  formsBySchema.set(schema, forms);
  return forms;
}

function objectForm(schema: Schema, { shape, catchall }: z.core.$ZodObjectDef): ObjectForm {
  const inner = Object.entries(shape).map(([name, member]) => [name, formsOf(member)] as const);
  return {
    known: new Set(Object.keys(shape)),
    inner: new Map(inner.filter(([, forms]) => forms.length > 0)),
    isCompared: catchall === undefined || protectedMembers.has(schema),
  };
}

function wrappedForms(def: z.core.$ZodTypes['_zod']['def']): readonly Form[] {
  if (def.type === 'pipe') return [...formsOf(def.in), ...formsOf(def.out)];
  if (def.type === 'array') {
    const elements = formsOf(def.element);
    return elements.length > 0 ? [{ elements }] : [];
  }
  return 'innerType' in def ? formsOf(def.innerType) : [];
}

/** The unknown members of an object that are nearly spelt like one that it lacks, or that belongs elsewhere. */
function misspeltIn({ known, isCompared }: ObjectForm, given: object, elsewhere?: Elsewhere) {
  if (!isCompared) return [];
  const candidates = [
    ...[...known].filter((name) => !Object.hasOwn(given, name)).map(candidateHere),
    ...candidatesOf(elsewhere, known),
  ];
  // A name may have a separator beside each letter. Longer ones are not read, or a body of few names could cost more
  // than its parsing.
  const longest = 2 * (1 + Math.max(...candidates.map(({ letters }) => letters.length)));
  const found: { name: string; message: string }[] = [];
  for (const name of Object.keys(given)) {
    if (candidates.length === 0) break;
    if (name.length > longest || known.has(name)) continue;
    const letters = lettersOf(name);
    const at = candidates.findIndex((candidate) => isWithinOneLetter(letters, candidate.letters));
    const [meant] = at < 0 ? [] : candidates.splice(at, 1);
    if (meant) found.push({ name, message: meant.message(Reflect.get(given, name)) });
  }
  return found;
}

function candidateHere(name: string): Candidate {
  return { letters: lettersOf(name), message: () => `unknown, did you mean ${name}?` };
}

function candidatesOf(elsewhere: Elsewhere | undefined, known: ReadonlySet<string>): Candidate[] {
  if (elsewhere === undefined) return [];
  const { names, advice } = elsewhere;
  const others = names.filter((name) => !known.has(name));
  return others.map((name) => ({
    letters: lettersOf(name),
    message: (given) => `unknown here, ${advice(name, given)}`,
  }));
}

/** Names are compared without case, `_` and `-`. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** Whether two texts differ by at most one letter: too many, too few, wrong, or two swapped. */
function isWithinOneLetter(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const differing = Math.max(a.length, b.length) - start - end;
  const isSwapped = differing === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
  return differing <= 1 || (isSwapped && a.length === b.length);
}
