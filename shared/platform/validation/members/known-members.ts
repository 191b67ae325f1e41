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
  /** The members that have forms of their own. */
  inner: ReadonlyMap<string, readonly Form[]>;
  /** The other members of a free object are passed on as given, and mean something else. */
  isFree: boolean;
  /** Whether unknown names are compared with the known ones. */
  isCompared: boolean;
};

/** The names of an object's members, through whatever wraps the object. */
export function memberNames(schema: Schema): string[] {
  return listForms(schema).flatMap((form) => ('known' in form ? [...form.known] : []));
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
  const inner = members.map(([name, member]) => [name, listForms(member)] as const);
  const isFree = catchall !== undefined;
  return {
    known: new Set(Object.keys(shape)),
    absentIfNull: new Set(members.filter(([, member]) => hasNoNull(member)).map(([name]) => name)),
    inner: new Map(inner.filter(([, forms]) => forms.length > 0)),
    isFree,
    isCompared: !isFree || protectedMembers.has(schema),
  };
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

/** Whether an object has a value for a member of its form. */
export function hasMember({ absentIfNull }: ObjectForm, given: object, name: string): boolean {
  return Object.hasOwn(given, name) && !(absentIfNull.has(name) && Reflect.get(given, name) === null);
}
