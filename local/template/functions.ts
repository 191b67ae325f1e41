import { join } from 'node:path';
import * as z from 'zod/mini';
import { StartUpError } from '../start-up-error.ts';
import { functionName } from './physical-names.ts';
import { readProperties, resourcesOf } from './resolved-resource.ts';
import type { Assembly, Resource } from './resource.ts';

export interface FunctionModel {
  /** `FunctionName`, or else the logical id without CDK's hash. */
  readonly name: string;
  readonly logicalId: string;
  /** `index.handler` */
  readonly handler: string;
  readonly codeFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly reservedConcurrency?: number;
}

const functionProperties = z.object({
  Runtime: z.string().check(z.startsWith('nodejs')),
  Handler: z.string(),
  Timeout: z._default(z.number(), 3),
  MemorySize: z._default(z.number(), 128),
  ReservedConcurrentExecutions: z.optional(z.number()),
  Environment: z.optional(z.object({ Variables: z.record(z.string(), z.coerce.string()) })),
});

/** CDK writes the asset's folder, relative to the assembly, beside the resource. */
function codeFolderOf({ logicalId, metadata }: Resource, assembly: Assembly): string {
  const path = metadata['aws:asset:path'];
  if (typeof path === 'string') return join(assembly.folder, path);
  throw new StartUpError(
    `Function ${logicalId} has no aws:asset:path metadata, so its code cannot be found.`,
  );
}

export function readFunctions(assembly: Assembly): FunctionModel[] {
  return resourcesOf(assembly, 'AWS::Lambda::Function').map((resolved) => {
    const { resource } = resolved;
    const properties = readProperties(functionProperties, resolved);
    const reserved = properties.ReservedConcurrentExecutions;
    return {
      name: functionName(resource, () => (resolved.properties as Record<string, unknown>)['FunctionName']),
      logicalId: resource.logicalId,
      handler: properties.Handler,
      codeFolder: codeFolderOf(resource, assembly),
      environment: properties.Environment?.Variables ?? {},
      timeoutSeconds: properties.Timeout,
      memoryMb: properties.MemorySize,
      ...(reserved === undefined ? {} : { reservedConcurrency: reserved }),
    };
  });
}
