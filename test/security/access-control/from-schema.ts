import * as fc from 'fast-check';

/** The part of JSON Schema that the published document uses. */
export type Schema = {
  $ref?: string;
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  enum?: (string | number)[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  example?: unknown;
};

export type Components = Readonly<Record<string, Schema>>;

/** Keys that mean something to JavaScript, and some that do not. */
const oddKey = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'toJSON', 'then', 'length', '', '\0'),
  fc.string({ maxLength: 8 }),
);

const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

const more = fc.array(fc.tuple(oddKey, fc.jsonValue({ maxDepth: 3 })), { maxLength: 3 });

function resolve(schema: Schema, components: Components): Schema {
  return schema.$ref === undefined ? schema : (components[schema.$ref.split('/').at(-1) ?? ''] ?? {});
}

function textOf({ pattern, format, minLength = 0, maxLength = 64 }: Schema) {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  if (format === 'uri') return fc.webUrl();
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') return moment.map((date) => date.toISOString());
  // The document counts lengths in code points, so these lengths are in code points, too.
  const short = fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 64) });
  const full = fc.constantFrom('я', '😀', '"', '\0').map((unit) => unit.repeat(Math.min(maxLength, 300)));
  return fc.oneof({ weight: 4, arbitrary: short }, { weight: 1, arbitrary: full });
}

function objectOf(schema: Schema, components: Components): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const members = Object.entries(properties).map(([name, property]) => {
    const value = validFor(property, components);
    const maybe = required.includes(name) ? value : fc.option(value, { nil: undefined });
    return maybe.map((present) => [name, present] as const);
  });
  // Additional members are never refused. Entries are used because a literal cannot have a member `__proto__`.
  return fc.tuple(fc.tuple(...members), more).map(([own, further]) => {
    const additional = further.filter(([name]) => !(name in properties));
    const all = [...additional, ...own.filter(([, value]) => value !== undefined)];
    return Object.fromEntries(all);
  });
}

/** Generates values that the schema allows. Half of them are its example, if it has one. */
export function validFor(unresolved: Schema, components: Components): fc.Arbitrary<unknown> {
  const schema = resolve(unresolved, components);
  const made = madeFor(schema, components);
  return schema.example === undefined ? made : fc.oneof(fc.constant(schema.example), made);
}

function madeFor(schema: Schema, components: Components): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => validFor(option, components)));
  const { type, items = {}, minItems: minLength = 0, maxItems = 5 } = schema;
  const { minimum: min = -Number.MAX_VALUE, maximum: max = Number.MAX_VALUE } = schema;
  const byType: Record<NonNullable<Schema['type']>, () => fc.Arbitrary<unknown>> = {
    object: () => objectOf(schema, components),
    array: () => fc.array(validFor(items, components), { minLength, maxLength: Math.min(maxItems, 5) }),
    string: () => textOf(schema),
    integer: () => fc.maxSafeInteger().map((n) => between(n, schema)),
    number: () => fc.double({ noNaN: true, min, max }),
    boolean: () => fc.boolean(),
    null: () => fc.constant(null),
  };
  return type ? byType[type]() : fc.jsonValue({ maxDepth: 3 });
}

function between(n: number, { minimum = -(2 ** 53) + 1, maximum = 2 ** 53 - 1 }: Schema): number {
  return n >= minimum && n <= maximum ? n : minimum + (Math.abs(n) % (maximum - minimum + 1));
}
