import { type Form, listForms, type ObjectForm, type Schema } from './known-members.ts';

/** Schemas refuse longer arrays, and a copy of millions of objects takes the memory of a function. */
const mostElements = 100_000;

/**
 * Rule 61: the value without those known members that are null and might be absent, unless null means something else
 * there. The value is not changed; what has no such member is returned itself.
 */
export function withoutNulls(schema: Schema, value: unknown): unknown {
  return without(listForms(schema), value);
}

function without(forms: readonly Form[], value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return forms.reduce<unknown>((given, form) => {
    if ('elements' in form) return Array.isArray(given) ? inElements(form.elements, given) : given;
    return Array.isArray(given) ? given : inObject(form, given as Record<string, unknown>);
  }, value);
}

function inElements(forms: readonly Form[], given: readonly unknown[]): readonly unknown[] {
  if (given.length > mostElements) return given;
  const elements = given.map((element) => without(forms, element));
  return elements.some((element, n) => element !== given[n]) ? elements : given;
}

function inObject({ absentIfNull, inner }: ObjectForm, given: Record<string, unknown>) {
  const absent = [...absentIfNull].filter((name) => Object.hasOwn(given, name) && given[name] === null);
  const changed = [...inner].flatMap(([name, forms]) => {
    const before = Object.hasOwn(given, name) ? given[name] : undefined;
    const after = without(forms, before);
    return after === before ? [] : [[name, after] as const];
  });
  if (absent.length === 0 && changed.length === 0) return given;
  const left = { ...given, ...Object.fromEntries(changed) };
  for (const name of absent) delete left[name];
  return left;
}
