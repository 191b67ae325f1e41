import * as z from 'zod/mini';
import { attributeOf, tableName } from './physical-names.ts';
import { readProperties, resourcesOf } from './resolved-resource.ts';
import type { Assembly } from './resource.ts';

export interface TableModel {
  readonly name: string;
  /** What event source mappings name as their source. */
  readonly streamArn: string;
  readonly streamViewType?: string;
  readonly timeToLiveAttribute?: string;
  /** The members of `CreateTable` that are the same in the template. */
  readonly definition: Readonly<Record<string, unknown>>;
}

const tableProperties = z.object({
  AttributeDefinitions: z.array(z.unknown()),
  KeySchema: z.array(z.unknown()),
  GlobalSecondaryIndexes: z.optional(z.array(z.record(z.string(), z.unknown()))),
  LocalSecondaryIndexes: z.optional(z.array(z.unknown())),
  StreamSpecification: z.optional(z.object({ StreamViewType: z.string() })),
  TimeToLiveSpecification: z.optional(z.object({ AttributeName: z.string(), Enabled: z.boolean() })),
});

export function readTables(assembly: Assembly): TableModel[] {
  return resourcesOf(assembly, 'AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable').map((resolved) => {
    const { StreamSpecification, TimeToLiveSpecification, ...definition } = readProperties(
      tableProperties,
      resolved,
    );
    const property = () => (resolved.properties as Record<string, unknown>)['TableName'];
    return {
      name: tableName(resolved.resource, property),
      streamArn: attributeOf(resolved.resource, 'StreamArn', property),
      definition,
      ...(StreamSpecification ? { streamViewType: StreamSpecification.StreamViewType } : {}),
      ...(TimeToLiveSpecification?.Enabled
        ? { timeToLiveAttribute: TimeToLiveSpecification.AttributeName }
        : {}),
    };
  });
}
