import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { partitionPatterns, type RowKindName } from '../../shared/platform/table/row-kinds.ts';
import type { indexNames } from '../table.ts';
import type { TableInUse } from '../table-in-use.ts';

/** A function may do with the table what is named here, and nothing else. */
export type TableAccess = {
  /** The kinds of rows that it reads. */
  reads?: readonly RowKindName[];
  /** The kinds of rows that it creates, changes or deletes. */
  writes?: readonly RowKindName[];
  /** The index that it queries. Indexes hold keys and times of rows, and no content. */
  queries?: (typeof indexNames)[number];
};

/** Scan is in neither list: every access has a key. */
const reading = ['GetItem', 'BatchGetItem', 'Query'];
const writing = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];

/**
 * A batch with several kinds of rows must be allowed by one statement, so there is one for all reads and one for all writes.
 * A transaction needs the permissions of the writes in it.
 */
export function tableStatements(table: TableInUse, { reads = [], writes = [], queries }: TableAccess) {
  return [
    ...(reads.length > 0 ? [rowStatement(table, reading, reads)] : []),
    ...(writes.length > 0 ? [rowStatement(table, writing, writes)] : []),
    ...(queries ? [indexStatement(table, queries)] : []),
  ];
}

/**
 * ForAllValues is also true for a request without keys, as a Scan is
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition_examples-multi-valued-context-keys.html):
 * the condition limits only actions that always name keys, and these statements have no others.
 */
function rowStatement({ tableArn }: TableInUse, actions: readonly string[], kinds: readonly RowKindName[]) {
  return new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitionPatterns(kinds) } },
  });
}

function indexStatement({ tableArn }: TableInUse, name: string) {
  return new PolicyStatement({ actions: ['dynamodb:Query'], resources: [`${tableArn}/index/${name}`] });
}
