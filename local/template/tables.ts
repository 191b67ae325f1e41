import * as z from 'zod/mini';
import { streamArn, tableName } from './physical-names.ts';
import type { Assembly } from './read-assembly.ts';
import { readResources } from './read-properties.ts';

const schema = z.strictObject({
  AttributeDefinitions: z.array(z.unknown()),
  KeySchema: z.array(z.unknown()),
  GlobalSecondaryIndexes: z.optional(z.array(z.record(z.string(), z.unknown()))),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  StreamSpecification: z.strictObject({ StreamViewType: z.string() }),
  TimeToLiveSpecification: z.strictObject({ AttributeName: z.string(), Enabled: z.literal(true) }),
});

/** What protects the data in AWS. */
const ignored = ['DeletionProtectionEnabled', 'PointInTimeRecoverySpecification', 'SSESpecification'];

export type TableModel = ReturnType<typeof readTables>[number];

export function readTables(assembly: Assembly) {
  return readResources(assembly, 'AWS::DynamoDB::Table', { schema, ignored }).map(
    ({ resource, properties: { StreamSpecification, TimeToLiveSpecification, ...definition } }) => ({
      name: tableName(resource),
      /** What event source mappings name as their source. */
      streamArn: streamArn(resource),
      streamViewType: StreamSpecification.StreamViewType,
      timeToLiveAttribute: TimeToLiveSpecification.AttributeName,
      /** The members of `CreateTable` that are the same in the template. */
      definition,
    }),
  );
}
