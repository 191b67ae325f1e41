import type * as z from 'zod/mini';
import { failure } from '../../build/command-line.ts';
import { parse } from '../../shared/validation/format-issues.ts';
import { resolveIntrinsics } from './intrinsics.ts';
import type { Assembly, Resource } from './read-assembly.ts';

/** How the resources of one type are read. */
interface Reading<Schema extends z.ZodMiniType> {
  /** The properties that the runner acts on: a strict object. */
  readonly schema: Schema;
  /** Properties that make no difference here. */
  readonly ignored: readonly string[];
  /** Left out: all of the type. */
  readonly filter?: (resource: Resource) => boolean;
}

/**
 * All resources of a type, in template order, their properties without intrinsic functions. A property that is neither
 * read nor known to make no difference stops the start: the service would behave differently in AWS.
 */
export function readResources<Schema extends z.ZodMiniType>(
  assembly: Assembly,
  type: string,
  { schema, ignored, filter = () => true }: Reading<Schema>,
) {
  return assembly.stacks.flatMap((stack) =>
    [...stack.resources.values()]
      .filter((resource) => resource.type === type && filter(resource))
      .map((resource) => {
        const read = Object.entries(resource.properties).filter(([name]) => !ignored.includes(name));
        const result = parse(schema, resolveIntrinsics(Object.fromEntries(read), { assembly, stack }));
        if (result.success) return { resource, properties: result.data };
        const [issue] = result.error.issues;
        const path = issue?.path.join('.') || 'Properties';
        throw failure(
          `The local runner cannot run ${type} ${resource.logicalId}: ${path}: ${issue?.message}.`,
        );
      }),
  );
}

/** The function that an ARN or a name means, whatever alias it is qualified with. */
export function functionNameIn(reference: string): string {
  return /^(?:.*function:)?([^:/]+)/.exec(reference)?.[1] ?? reference;
}

/** The queue that an ARN means. */
export function queueNameIn(arn: string): string {
  return arn.split(':').at(-1) ?? arn;
}
