import type { Issue } from '../format-issues.ts';
import { type Form, hasMember, listForms, type ObjectForm, type Schema } from './known-members.ts';

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

/** What an unknown name may have meant, for all objects of a form. */
type Candidate = {
  letters: string;
  /** A name is meant only with exactly these letters, because it stands in another object than the known one. */
  isExact?: true;
  /** Tells whether the unknown member asks for what the known one would, and nothing else does. */
  isMissedIn: (visited: Visited, given: unknown) => boolean;
  issue: (visited: Visited, given: unknown) => Omit<Issue, 'path'>;
};

/**
 * Rules 46 and 59: unknown members are ignored, but one that is nearly spelt like a known member that the same object
 * lacks is an issue, because the sender believes that it has an effect; so is one that another object of the body lacks,
 * or that belongs `elsewhere`. Free objects and values of any form are not looked into. There is at most one issue for
 * each known member of each object, however many unknown ones resemble it.
 */
export function misspeltMembers(schema: Schema, value: unknown, elsewhere?: Elsewhere): Issue[] {
  const issues: Issue[] = [];
  const candidatesOf = elsewhere ? candidateFinder(elsewhere) : candidatesInBody;
  visitObjects(schema, value, (visited) => {
    issues.push(...misspeltIn(visited, candidatesOf));
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
    const misspelt = new Map(
      misspeltIn(visited, candidatesInBody).map((issue) => [issue.path.at(-1), issue]),
    );
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

/** Issues for the unknown members of an object that are nearly spelt like one that it lacks, or that belong elsewhere. */
function misspeltIn(visited: Visited, candidatesOf: CandidatesOf): Issue[] {
  const { form, given, path } = visited;
  const unknown = unknownNames(form, given);
  if (unknown.length === 0) return [];
  const { candidates, longest } = candidatesOf(visited);
  const meant = new Set<Candidate>();
  const found: Issue[] = [];
  for (const name of unknown) {
    if (name.length > longest) continue;
    const letters = lettersOf(name);
    const value = Reflect.get(given, name);
    const candidate = candidates.find(
      (one) => isMeant(letters, one) && !meant.has(one) && one.isMissedIn(visited, value),
    );
    if (!candidate) continue;
    meant.add(candidate);
    found.push({ path: [...path, name], ...candidate.issue(visited, value) });
  }
  return found;
}

function isMeant(letters: string, candidate: Candidate): boolean {
  return candidate.isExact ? letters === candidate.letters : isWithinOneLetter(letters, candidate.letters);
}

/** Candidates, and the length beyond which names are not read. */
type Candidates = { candidates: readonly Candidate[]; longest: number };
type CandidatesOf = (visited: Visited) => Candidates;

/** Makes them once for the objects of a form, because a list may have millions of small ones. */
function candidateFinder(elsewhere?: Elsewhere): CandidatesOf {
  const byForm = new WeakMap<ObjectForm, WeakMap<ObjectForm, Candidates>>();
  return ({ form, whole }) => {
    const byWhole = byForm.get(form) ?? new WeakMap<ObjectForm, Candidates>();
    byForm.set(form, byWhole);
    const candidates = byWhole.get(whole.form) ?? made(form, whole.form, elsewhere);
    byWhole.set(whole.form, candidates);
    return candidates;
  };
}

const candidatesInBody = candidateFinder();

function made(form: ObjectForm, whole: ObjectForm, elsewhere?: Elsewhere): Candidates {
  // A free object passes its members on, so none is misplaced in it.
  const misplaced = form.isFree
    ? []
    : [...candidatesElsewhere(form, elsewhere), ...candidatesWithin(form, whole)];
  const candidates = [...candidatesHere(form), ...misplaced];
  // A name may have a separator beside each letter. Longer ones are not read, or a body of few names could cost more
  // than its parsing.
  return { candidates, longest: 2 * (1 + Math.max(...candidates.map(({ letters }) => letters.length))) };
}

function candidatesHere(form: ObjectForm): Candidate[] {
  return [...form.known].map((name) => ({
    letters: lettersOf(name),
    isMissedIn: ({ given }) => !hasMember(form, given, name),
    issue: ({ path }) => ({ message: `unknown, did you mean ${name}?`, insteadOf: [...path, name] }),
  }));
}

function candidatesElsewhere({ known }: ObjectForm, elsewhere: Elsewhere | undefined): Candidate[] {
  if (elsewhere === undefined) return [];
  const { names, advice, isExact } = elsewhere;
  const others = names.filter((name) => !known.has(name));
  return others.map((name) => ({
    letters: lettersOf(name),
    ...(isExact ? { isExact } : {}),
    isMissedIn: (_, given) => given !== null,
    issue: (_, given) => ({ message: `unknown here, ${advice(name, given)}` }),
  }));
}

/** The members that other objects of the same body, or of the same element of a list, know and lack. */
function candidatesWithin({ known }: ObjectForm, whole: ObjectForm): Candidate[] {
  const others = pathsIn(whole).filter(({ name }) => !known.has(name));
  return others.map(({ path, name, mayBeNull, isAbsentIn }) => ({
    letters: lettersOf(name),
    isExact: true,
    isMissedIn: (visited, given) => !(given === null && mayBeNull) && isAbsentIn(visited.whole.given),
    issue: (visited) => ({
      message: `unknown here, send it as ${path.join('.')}`,
      insteadOf: [...visited.whole.path, ...path],
    }),
  }));
}

type KnownPath = {
  path: readonly string[];
  name: string;
  /** Set if null would ask for nothing there (rule 61). */
  mayBeNull: boolean;
  isAbsentIn: (whole: unknown) => boolean;
};

/** The known members of an object and of the objects in it, but for those of free objects and of elements of lists. */
function pathsIn(form: ObjectForm): readonly KnownPath[] {
  const own = [...form.known].map(
    (name): KnownPath => ({
      path: [name],
      name,
      mayBeNull: form.absentIfNull.has(name),
      isAbsentIn: (given) => !(isObject(given) && hasMember(form, given, name)),
    }),
  );
  const inner = [...form.inner].flatMap(([outer, forms]) =>
    forms
      .flatMap((one) => ('known' in one && one.isCompared ? pathsIn(one) : []))
      .map(
        ({ path, isAbsentIn, ...same }): KnownPath => ({
          ...same,
          path: [outer, ...path],
          isAbsentIn: (given) => isAbsentIn(isObject(given) ? Reflect.get(given, outer) : undefined),
        }),
      ),
  );
  return [...own, ...inner];
}

function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null;
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
