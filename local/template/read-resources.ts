import type * as z from 'zod/mini';
import { failure } from '../../build/command-line.ts';
import { parse } from '../../shared/platform/validation/format-issues.ts';
import { type Assembly, resolveIntrinsics } from './assembly.ts';

/** All resources of a type, in template order, with the properties that the schema names, resolved. */
export function resourcesOf<Schema extends z.ZodMiniObject>(
  assembly: Assembly,
  type: string,
  schema: Schema,
) {
  return assembly.stacks.flatMap((stack) =>
    stack.resources
      .filter((resource) => resource.type === type)
      .map((resource) => {
        const read = Object.entries(resource.properties).filter(([name]) => name in schema.shape);
        const result = parse(schema, resolveIntrinsics(Object.fromEntries(read), { assembly, stack }));
        if (result.success) return { resource, properties: result.data };
        const [issue] = result.error.issues;
        throw failure(
          `The local runner cannot run ${type} ${resource.logicalId}: ${issue?.path.join('.')}: ${issue?.message}.`,
        );
      }),
  );
}

/** The function that an ARN or a name means, whatever alias it is qualified with. */
export function functionNameIn(reference: string): string {
  return /^(?:.*function:)?([^:/]+)/.exec(reference)?.[1] ?? reference;
}
