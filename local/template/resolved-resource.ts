import type * as z from 'zod/mini';
import { parse } from '../../shared/validation/format-issues.ts';
import { StartUpError } from '../start-up-error.ts';
import { resolveIntrinsics } from './intrinsics.ts';
import type { Assembly, Resource } from './resource.ts';

export interface ResolvedResource {
  readonly resource: Resource;
  /** Its properties without intrinsic functions. */
  readonly properties: unknown;
}

/** All resources of the given types, in template order. */
export function resourcesOf(assembly: Assembly, ...types: readonly string[]): ResolvedResource[] {
  return assembly.stacks.flatMap((stack) =>
    [...stack.resources.values()]
      .filter(({ type }) => types.includes(type))
      .map((resource) => ({
        resource,
        properties: resolveIntrinsics(resource.properties, { assembly, stack }),
      })),
  );
}

/** Reads the properties the runner acts on; a shape it cannot act on stops the start. */
export function readProperties<Schema extends z.ZodMiniType>(
  schema: Schema,
  { resource, properties }: ResolvedResource,
): z.output<Schema> {
  const result = parse(schema, properties);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new StartUpError(
    `The local runner cannot run ${resource.type} ${resource.logicalId}: ${issue?.path.join('.') || 'properties'}: ${issue?.message}.`,
  );
}

/** The function that an ARN or a name means, whatever version or alias it is qualified with. */
export function functionNameIn(reference: string): string {
  return /^(?:.*function:)?([^:/]+)/.exec(reference)?.[1] ?? reference;
}

/** The queue that an ARN or a URL means. */
export function queueNameIn(reference: string): string {
  return reference.split(/[:/]/).at(-1) ?? reference;
}
