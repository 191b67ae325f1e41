import * as z from 'zod/mini';

export type Json = Record<string, unknown>;

/** The document's components: all schemas that have an id, by their ids. */
export const components: Json = {};

/** Converts a zod schema to a JSON Schema that client generators read well. Schemas with an id become components. */
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

/** Names of properties are not keywords, because a property may be called `id` or `const`. */
function tidiedEach(schemas: Json): Json {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidied(schema)]));
}

/** Changes a schema where generators would make code that does not compile or cannot read a response. */
function forGenerators({ id: _name, ...schema }: Json): Json {
  if (schema['type'] === 'integer') return integer(schema);
  return withoutRedundantPattern(open(withoutConst(schema)));
}

/** Java and Go use 32 bits for an integer without a format; an msisdn needs 37. zod's bounds are those of a double. */
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

/** Clients must accept members that are added later. Clients in Go and Python refuse these if this is false. */
function open({ additionalProperties, ...schema }: Json): Json {
  return additionalProperties === undefined || additionalProperties === false
    ? schema
    : { ...schema, additionalProperties };
}

/** Removes a pattern beside a format: clients hold UUIDs and times as objects, which no pattern matches. */
function withoutRedundantPattern({ pattern, ...schema }: Json): Json {
  return pattern === undefined || schema['format'] !== undefined ? schema : { ...schema, pattern };
}
