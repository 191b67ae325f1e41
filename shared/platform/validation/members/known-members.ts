import * as z from 'zod/mini';

/** Objects that may have any members, but whose known members must not be misspelt. */
export const protectedMembers = z.registry();

export type Schema = z.core.$ZodType;

/** A schema knows this of a value: the elements of a list, or the members of an object. */
export type Form = { elements: readonly Form[] } | ObjectForm;
export type ObjectForm = {
  known: ReadonlySet<string>;
  /** The members that are absent if they are null (rule 61). */
  absentIfNull: ReadonlySet<string>;
  /** The known members, to compare names with them. */
  own: readonly KnownPath[];
  /** The known members and those of the objects in it, except those of free objects and of elements of lists. */
  paths: readonly KnownPath[];
  /** The members that have forms of their own. */
  inner: ReadonlyMap<string, readonly Form[]>;
  /** The other members of a free object are passed on as given, and mean something else. */
  isFree: boolean;
  /** Whether unknown names are compared with the known ones. */
  isCompared: boolean;
};

/** A member that an object, or an object in it, may have. */
export type KnownPath = {
  path: readonly string[];
  name: string;
  /** The letters of its name. */
  letters: string;
  /** Set if null would ask for nothing there (rule 61). */
  mayBeNull: boolean;
  isAbsentIn: (whole: unknown) => boolean;
};

/** The names of an object's members, through whatever wraps the object. */
export function memberNames(schema: Schema): string[] {
  return listForms(schema).flatMap((form) => ('known' in form ? [...form.known] : []));
}

/** The members of an object and of the objects in it; those of a list are its elements'. */
export function memberPaths(schema: Schema): KnownPath[] {
  const pathsOf = (form: Form): readonly KnownPath[] =>
    'elements' in form ? form.elements.flatMap(pathsOf) : form.paths;
  return listForms(schema).flatMap(pathsOf);
}

const formsBySchema = new WeakMap<Schema, readonly Form[]>();

/** The forms of a schema, made once. Parts without objects have none, so that they are not visited. */
export function listForms(schema: Schema): readonly Form[] {
  const before = formsBySchema.get(schema);
  if (before) return before;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const forms = def.type === 'object' ? [objectForm(schema, def)] : wrappedForms(def);
  formsBySchema.set(schema, forms);
  return forms;
}

function objectForm(schema: Schema, { shape, catchall }: z.core.$ZodObjectDef): ObjectForm {
  const members = Object.entries(shape);
  const absentIfNull = new Set(members.filter(([, member]) => hasNoNull(member)).map(([name]) => name));
  const own = members.map(([name]) => knownPath(name, absentIfNull.has(name)));
  const inner = members.map(([name, member]) => [name, listForms(member)] as const);
  const isFree = catchall !== undefined;
  return {
    known: new Set(Object.keys(shape)),
    absentIfNull,
    own,
    paths: [...own, ...inner.flatMap(([name, forms]) => pathsThrough(name, forms))],
    inner: new Map(inner.filter(([, forms]) => forms.length > 0)),
    isFree,
    isCompared: !isFree || protectedMembers.has(schema),
  };
}

function knownPath(name: string, mayBeNull: boolean): KnownPath {
  const isAbsentIn = (given: unknown) =>
    !isObject(given) || !Object.hasOwn(given, name) || (mayBeNull && Reflect.get(given, name) === null);
  return { path: [name], name, letters: lettersOf(name), mayBeNull, isAbsentIn };
}

/** The members of the objects that the member `outer` of an object may be. */
function pathsThrough(outer: string, forms: readonly Form[]): KnownPath[] {
  const paths = forms.flatMap((form) => ('paths' in form && form.isCompared ? form.paths : []));
  return paths.map(({ path, isAbsentIn, ...same }) => ({
    ...same,
    path: [outer, ...path],
    isAbsentIn: (given) => isAbsentIn(isObject(given) ? Reflect.get(given, outer) : undefined),
  }));
}

export function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null;
}

/** Names are compared without case, `_` and `-`. */
export function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** Whether a member may be absent and null has no meaning of its own for it. */
function hasNoNull(member: Schema): boolean {
  return member._zod.optin !== undefined && !z.safeParse(member, null).success;
}

function wrappedForms(def: z.core.$ZodTypes['_zod']['def']): readonly Form[] {
  if (def.type === 'pipe') return [...listForms(def.in), ...listForms(def.out)];
  if (def.type === 'array') {
    const elements = listForms(def.element);
    return elements.length > 0 ? [{ elements }] : [];
  }
  return 'innerType' in def ? listForms(def.innerType) : [];
}
