import * as z from 'zod/mini';

/** Says in the OpenAPI document what a value is. */
export function described<Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}

/** An object that has a name of its own in the OpenAPI document. */
export function named<Shape extends z.core.$ZodShape>(id: string, shape: Shape, description?: string) {
  return z.object(shape).register(z.globalRegistry, { id, ...(description ? { description } : {}) });
}
