import * as z from 'zod/mini';

/** The same schema, with what the OpenAPI document says of the value; the schema that is given stays as it is. */
export function described<Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema {
  const copy = z.clone(schema, schema._zod.def, { parent: true });
  z.globalRegistry.add(copy, { description });
  return copy;
}

/** An object that has a name of its own in the OpenAPI document. */
export function named<Shape extends z.core.$ZodShape>(id: string, shape: Shape, description?: string) {
  return z.object(shape).register(z.globalRegistry, { id, ...(description ? { description } : {}) });
}
