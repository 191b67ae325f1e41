import { join } from 'node:path';
import * as z from 'zod/mini';
import { StartUpError } from '../start-up-error.ts';
import { readResources } from './read-properties.ts';
import type { Assembly, Resource } from './resource.ts';

export interface FunctionModel {
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

const schema = z.strictObject({
  FunctionName: z.string(),
  Runtime: z.literal('nodejs24.x'),
  Handler: z.string(),
  Timeout: z.number(),
  MemorySize: z.number(),
  ReservedConcurrentExecutions: z.optional(z.number()),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.string()) }),
});

/** Which processor runs it, what it may do, and what it leaves in AWS. */
const ignored = ['Architectures', 'Code', 'LoggingConfig', 'RecursiveLoop', 'Role', 'TracingConfig'];

/** CDK writes the asset's folder, relative to the assembly, beside the resource. */
function codeFolderOf({ logicalId, metadata }: Resource, assembly: Assembly): string {
  const path = metadata['aws:asset:path'];
  if (typeof path === 'string') return join(assembly.folder, path);
  throw new StartUpError(
    `Function ${logicalId} has no aws:asset:path metadata, so its code cannot be found.`,
  );
}

export function readFunctions(assembly: Assembly): FunctionModel[] {
  return readResources(assembly, 'AWS::Lambda::Function', { schema, ignored }).map(
    ({ resource, properties }) => {
      const reserved = properties.ReservedConcurrentExecutions;
      return {
        name: properties.FunctionName,
        logicalId: resource.logicalId,
        handler: properties.Handler,
        codeFolder: codeFolderOf(resource, assembly),
        environment: properties.Environment.Variables,
        timeoutSeconds: properties.Timeout,
        memoryMb: properties.MemorySize,
        ...(reserved === undefined ? {} : { reservedConcurrency: reserved }),
      };
    },
  );
}
