import { join } from 'node:path';
import * as z from 'zod/mini';
import { failure } from '../../build/command-line.ts';
import type { Assembly, Resource } from './read-assembly.ts';
import { readResources } from './read-properties.ts';

export type FunctionModel = ReturnType<typeof readFunctions>[number];

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
  throw failure(`Function ${logicalId} has no aws:asset:path metadata, so its code cannot be found.`);
}

export function readFunctions(assembly: Assembly) {
  return readResources(assembly, 'AWS::Lambda::Function', { schema, ignored }).map(
    ({ resource, properties }) => ({
      name: properties.FunctionName,
      logicalId: resource.logicalId,
      /** `index.handler` */
      handler: properties.Handler,
      codeFolder: codeFolderOf(resource, assembly),
      environment: properties.Environment.Variables,
      timeoutSeconds: properties.Timeout,
      memoryMb: properties.MemorySize,
      reservedConcurrency: properties.ReservedConcurrentExecutions,
    }),
  );
}
