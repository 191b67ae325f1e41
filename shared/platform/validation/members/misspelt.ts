import type { Issue } from '../format-issues.ts';
import {
  type Form,
  isObject,
  type KnownPath,
  lettersOf,
  listForms,
  type ObjectForm,
  type Schema,
} from './known-members.ts';

/** The names that another part of the request takes, and what to do with one of them. */
export type Elsewhere = {
  names: readonly string[];
  /** A name is meant only with exactly these letters. */
  isExact?: true;
  advice: (name: string, given: unknown) => string;
};

/** An object, what is known of it, and the path to it. */
type Found = { form: ObjectForm; given: object; path: readonly PropertyKey[] };
/** An object, with the outermost one that it is a part of: the body, or an element of a list. */
type Visited = Found & { whole: Found };

/** A member that another part of the request takes. */
type OtherMember = Omit<Elsewhere, 'names'> & { name: string; letters: string };

/**
 * Rules 46 and 59: unknown members are ignored, but one that is nearly spelt like a known member that the same object
 * lacks is an issue, because the sender believes that it has an effect; so is one that another object of the body lacks,
 * or that belongs `elsewhere`. Free objects and values of any form are not looked into. There is at most one issue for
 * each known member of each object, however many unknown ones resemble it.
 */
export function misspeltMembers(schema: Schema, value: unknown, elsewhere?: Elsewhere): Issue[] {
  const issues: Issue[] = [];
  const others = elsewhere?.names.map((name) => ({ ...elsewhere, name, letters: lettersOf(name) }));
  visitObjects(schema, value, (visited) => {
    issues.push(...misspeltIn(visited, others));
  });
  return issues;
}

/**
 * An issue for each unknown member, whether it is misspelt or has another name. The elements of a list share the issue
 * of the first that has the member. Not more than `most` issues.
 */
export function unknownMembers(schema: Schema, value: unknown, most: number): Issue[] {
  const issues: Issue[] = [];
  const seen = new Map<ObjectForm, Set<string>>();
  visitObjects(schema, value, (visited) => {
    const { form, given, path } = visited;
    const before = seen.get(form) ?? new Set();
    const names = unknownNames(form, given).filter((name) => !before.has(name));
    if (names.length === 0 || issues.length >= most) return;
    seen.set(form, before);
    const misspelt = new Map(misspeltIn(visited).map((issue) => [issue.path.at(-1), issue]));
    for (const name of names.slice(0, most - issues.length)) {
      before.add(name);
      issues.push(misspelt.get(name) ?? { path: [...path, name], message: 'unknown, ignored' });
    }
  });
  return issues;
}

/** A key of the member, the same in all elements of a list. */
export function memberKey({ path }: Issue): string {
  return JSON.stringify(path.filter((step) => typeof step === 'string'));
}

function unknownNames({ isCompared, known }: ObjectForm, given: object): string[] {
  return isCompared ? Object.keys(given).filter((name) => !known.has(name)) : [];
}

/** Calls `see` for each object that the schema has a form for, after those in it. The path is valid during the call. */
function visitObjects(schema: Schema, value: unknown, see: (visited: Visited) => void): void {
  const path: PropertyKey[] = [];
  const visit = (forms: readonly Form[], given: unknown, within?: Found): void => {
    if (!isObject(given)) return;
    for (const form of forms) {
      if ('elements' in form) {
        if (Array.isArray(given)) for (const [n, one] of given.entries()) step(n, form.elements, one);
      } else if (!Array.isArray(given)) {
        const whole = within ?? { form, given, path: [...path] };
        for (const [name, inner] of form.inner)
          if (Object.hasOwn(given, name)) step(name, inner, Reflect.get(given, name), whole);
        see({ form, given, path, whole });
      }
    }
  };
  const step = (to: PropertyKey, ...part: Parameters<typeof visit>): void => {
    path.push(to);
    visit(...part);
    path.pop();
  };
  visit(listForms(schema), value);
}

/**
 * More than twice the letters of any known name, because it may be sent with a separator beside each. Longer names are
 * not read, or a body of few names could cost more than its parsing.
 */
const longestRead = 64;

/** An unknown member of an object, and the members that its others were meant for: each is named once. */
type UnknownMember = { letters: string; given: unknown; taken: ReadonlySet<Meant['member']> };

/** The member that an unknown one was meant for. */
type Meant = { member: KnownPath | OtherMember; issue: Omit<Issue, 'path'> };

/** Issues for the unknown members of an object that are nearly spelt like one that it lacks, or that belong elsewhere. */
function misspeltIn(visited: Visited, others: readonly OtherMember[] = []): Issue[] {
  const { form, given, path } = visited;
  const issues: Issue[] = [];
  const taken = new Set<Meant['member']>();
  for (const name of unknownNames(form, given)) {
    if (name.length > longestRead) continue;
    const unknown = { letters: lettersOf(name), given: Reflect.get(given, name), taken };
    const meant = findMeant(visited, unknown, others);
    if (!meant) continue;
    taken.add(meant.member);
    issues.push({ path: [...path, name], ...meant.issue });
  }
  return issues;
}

/** A free object passes its members on, so none is misplaced in it. */
function findMeant(visited: Visited, unknown: UnknownMember, others: readonly OtherMember[]) {
  const here = meantHere(visited, unknown);
  if (here || visited.form.isFree) return here;
  return meantElsewhere(visited, unknown, others) ?? meantWithin(visited, unknown);
}

/** A known member of the object with nearly the same letters. */
function meantHere({ form, given, path }: Visited, { letters, taken }: UnknownMember): Meant | undefined {
  const member = form.own.find(
    (one) => isWithinOneLetter(letters, one.letters) && !taken.has(one) && one.isAbsentIn(given),
  );
  if (!member) return undefined;
  const { name } = member;
  return { member, issue: { message: `unknown, did you mean ${name}?`, insteadOf: [...path, name] } };
}

function meantElsewhere(
  { form: { known } }: Visited,
  { letters, given, taken }: UnknownMember,
  others: readonly OtherMember[],
): Meant | undefined {
  if (given === null) return undefined;
  const isAlike = ({ letters: other, isExact }: OtherMember) =>
    isExact ? letters === other : isWithinOneLetter(letters, other);
  const member = others.find((one) => isAlike(one) && !known.has(one.name) && !taken.has(one));
  if (!member) return undefined;
  return { member, issue: { message: `unknown here, ${member.advice(member.name, given)}` } };
}

/** A member that another object of the same body, or of the same element of a list, knows and lacks. */
function meantWithin(
  { form: { known }, whole }: Visited,
  { letters, given, taken }: UnknownMember,
): Meant | undefined {
  const isMissed = (one: KnownPath) => !(given === null && one.mayBeNull) && one.isAbsentIn(whole.given);
  const member = whole.form.paths.find(
    (one) => letters === one.letters && !known.has(one.name) && !taken.has(one) && isMissed(one),
  );
  if (!member) return undefined;
  const message = `unknown here, send it as ${member.path.join('.')}`;
  return { member, issue: { message, insteadOf: [...whole.path, ...member.path] } };
}

/** Whether two texts differ by at most one letter: too many, too few, wrong, or two swapped. */
function isWithinOneLetter(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const differing = Math.max(a.length, b.length) - start - end;
  const isSwapped = differing === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
  return differing <= 1 || (isSwapped && a.length === b.length);
}
