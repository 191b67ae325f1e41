import * as z from 'zod/mini';

export type Json = Record<string, unknown>;

/** Schemas that have an id, by it: the document's components. */
export const components: Json = {};

/** The JSON Schema of a zod schema, as generators of clients read it best; schemas that have an id become components. */
export function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema, $defs = {}, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  Object.assign(components, tidiedEach($defs as Json));
  const { id } = json;
  if (id === undefined) return tidied(json) as Json;
  components[id] = tidied(json);
  return { $ref: `#/components/schemas/${id}` };
}

function tidied(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(tidied);
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(forGenerators(json as Json));
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === '$ref') return [key, String(value).replace('#/$defs/', '#/components/schemas/')];
      return [key, key === 'properties' ? tidiedEach(value as Json) : tidied(value)];
    }),
  );
}

/** Names of properties are no keywords: one may be called `id` or `const`. */
function tidiedEach(schemas: Json): Json {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidied(schema)]));
}

/** What one schema says, where generators would otherwise make code that does not compile or cannot read an answer. */
function forGenerators({ id: _name, ...schema }: Json): Json {
  if (schema['type'] === 'integer') return integer(schema);
  return withoutRedundantPattern(open(withoutConst(schema)));
}

/** Without a format an integer has 32 bits in Java and Go; an msisdn needs 37. zod's bounds are those of a double. */
function integer({ minimum, maximum, exclusiveMinimum, ...rest }: Json): Json {
  const from = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : minimum;
  return {
    ...rest,
    format: 'int64',
    ...(from === undefined || from === Number.MIN_SAFE_INTEGER ? {} : { minimum: from }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  };
}

/** A boolean `const` breaks Java and Python, and any `const` breaks old clients once there is a second value. */
function withoutConst({ const: only, ...schema }: Json): Json {
  return only === undefined ? schema : { ...schema, example: only };
}

/** Clients must accept members that are added later: Go and Python refuse them where this is false. */
function open({ additionalProperties, ...schema }: Json): Json {
  return additionalProperties === undefined || additionalProperties === false
    ? schema
    : { ...schema, additionalProperties };
}

/** Of UUIDs and times the format says all; clients hold such values as objects, which no pattern matches. */
function withoutRedundantPattern({ pattern, ...schema }: Json): Json {
  return pattern === undefined || schema['format'] !== undefined ? schema : { ...schema, pattern };
}
