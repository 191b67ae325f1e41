export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: string[];
  pattern?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
} & Partial<Record<Bound, number>>;

type Bound = 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems';

export type Document = {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas?: Record<string, Schema>; parameters?: Record<string, unknown> };
};

type Context = { at: string; kind: 'request' | 'response'; before: Document; after: Document };

/** Lists what breaks when a request or response changes from one schema to another. */
export function compareSchemas(context: Context, old: Schema, now: Schema): string[] {
  return [...new Set(compare(context, old, now, new Set()))];
}

function resolved(schema: Schema, { components }: Document): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolved(components.schemas?.[name] ?? {}, { paths: {}, components });
}

function compare(context: Context, before: Schema, after: Schema, seen: ReadonlySet<string>): string[] {
  // A schema may contain itself.
  if (before.$ref !== undefined && seen.has(before.$ref)) return [];
  const within = before.$ref === undefined ? seen : new Set([...seen, before.$ref]);
  const old = resolved(before, context.before);
  const now = resolved(after, context.after);
  const types = typeChange(context, old, now);
  if (types.length > 0) return types;
  const inner = (name: string, a: Schema, b: Schema) =>
    compare({ ...context, at: `${context.at}${name}` }, a, b, within);
  const alternatives = (old.anyOf ?? old.oneOf ?? []).map((option, index) =>
    inner(`|${index + 1}`, option, (now.anyOf ?? now.oneOf ?? [])[index] ?? option),
  );
  return [
    ...valueChanges(context, old, now),
    ...alternatives.flat(),
    ...(old.items && now.items ? inner('[]', old.items, now.items) : []),
    ...memberChanges(context, old, now),
    ...Object.entries(old.properties ?? {}).flatMap(([name, property]) => {
      const same = now.properties?.[name];
      return same ? inner(`.${name}`, property, same) : [];
    }),
  ];
}

/** Lists the types of the values that a schema allows, with their formats; an empty list allows any value. */
function typesOf(schema: Schema, document: Document): string[] {
  const { type, format, anyOf, oneOf } = resolved(schema, document);
  const options = anyOf ?? oneOf;
  if (options) return options.flatMap((option) => typesOf(option, document));
  const types = type === undefined ? [] : [type].flat();
  return types.map((name) => (format === undefined || name === 'null' ? name : `${name} (${format})`));
}

function typeChange({ at, kind, before, after }: Context, old: Schema, now: Schema): string[] {
  const was = typesOf(old, before);
  const is = typesOf(now, after);
  const [wide, narrow] = kind === 'request' ? [is, was] : [was, is];
  const fits = wide.length === 0 || (narrow.length > 0 && narrow.every((type) => wide.includes(type)));
  return fits ? [] : [`${at}: was ${named(was)}, is ${named(is)}`];
}

function named(types: string[]): string {
  return types.length === 0 ? 'any value' : types.join(' or ');
}

function valueChanges({ at, kind }: Context, old: Schema, now: Schema): string[] {
  const [wide, narrow] = kind === 'request' ? [now, old] : [old, now];
  const lost = wide.enum && !narrow.enum?.every((value) => wide.enum?.includes(value));
  const values = lost ? [`${at}: allowed ${valuesOf(old)}, allows ${valuesOf(now)}`] : [];
  // A response may be described more precisely, and no client checks its bounds.
  if (kind === 'response') return values;
  return [
    ...values,
    ...(now.pattern !== undefined && now.pattern !== old.pattern ? [`${at}: has another pattern`] : []),
    ...(['minimum', 'minLength', 'minItems'] as const)
      .filter((bound) => (now[bound] ?? -Infinity) > (old[bound] ?? -Infinity))
      .map((bound) => `${at}: ${bound} is ${now[bound]}, was ${old[bound] ?? 'none'}`),
    ...(['maximum', 'maxLength', 'maxItems'] as const)
      .filter((bound) => (now[bound] ?? Infinity) < (old[bound] ?? Infinity))
      .map((bound) => `${at}: ${bound} is ${now[bound]}, was ${old[bound] ?? 'none'}`),
  ];
}

function valuesOf(schema: Schema): string {
  return schema.enum?.join(', ') ?? 'any';
}

function memberChanges({ at, kind }: Context, old: Schema, now: Schema): string[] {
  const { required: had = [] } = old;
  const { required: has = [] } = now;
  const gone = Object.keys(old.properties ?? {}).filter((name) => !(name in (now.properties ?? {})));
  const added = has.filter((name) => !had.includes(name));
  const dropped = had.filter((name) => !has.includes(name) && !gone.includes(name));
  return [
    ...gone.map((name) => `${at}.${name}: is gone`),
    ...(kind === 'request' ? added.map((name) => `${at}.${name}: is required now`) : []),
    ...(kind === 'response' ? dropped.map((name) => `${at}.${name}: may be absent now`) : []),
  ];
}
