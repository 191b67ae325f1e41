import { Aws, CfnOutput, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { StageConfig } from './config.ts';

/** Waiting callbacks by the time they are due. Sparse: it has only rows with `dueShard` and `dueAt`. */
export const dueIndexName = 'due';

/**
 * Callbacks that have a row, by partner and status, in the order of their states' times. With the end of each, since
 * the table deletes rows some time after it.
 */
export const listedIndexName = 'listed';

export const indexNames = [dueIndexName, listedIndexName] as const;

/** The table, and on stages that keep their data its key. */
export function addTable(stack: Stack, { keepsData }: StageConfig): Table {
  const removalPolicy = keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  const table = new Table(stack, 'Table', {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    stream: StreamViewType.NEW_AND_OLD_IMAGES,
    timeToLiveAttribute: 'expiresAt',
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: keepsData,
    removalPolicy,
    ...(keepsData
      ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: tableKey(stack, removalPolicy) }
      : { encryption: TableEncryption.DEFAULT }),
  });
  table.addGlobalSecondaryIndex({
    indexName: dueIndexName,
    partitionKey: { name: 'dueShard', type: AttributeType.STRING },
    sortKey: { name: 'dueAt', type: AttributeType.NUMBER },
    projectionType: ProjectionType.KEYS_ONLY,
  });
  table.addGlobalSecondaryIndex({
    indexName: listedIndexName,
    partitionKey: { name: 'listedShard', type: AttributeType.STRING },
    sortKey: { name: 'changedAt', type: AttributeType.NUMBER },
    projectionType: ProjectionType.INCLUDE,
    nonKeyAttributes: ['expiresAt'],
  });
  new CfnOutput(stack, 'TableName', { value: table.tableName });
  return table;
}

/**
 * The key policy lets every caller of this account use the key, but only through DynamoDB: access to a row decides
 * alone, and no function's role needs a statement (with wildcards) about the key.
 */
function tableKey(stack: Stack, removalPolicy: RemovalPolicy): Key {
  const key = new Key(stack, 'TableKey', {
    description: 'Encrypts the table',
    enableKeyRotation: true,
    removalPolicy,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'ThroughDynamoDbOnly',
      principals: [new AnyPrincipal()],
      actions: [
        'kms:Encrypt',
        'kms:Decrypt',
        'kms:ReEncrypt*',
        'kms:GenerateDataKey*',
        'kms:DescribeKey',
        'kms:CreateGrant',
      ],
      resources: ['*'],
      conditions: {
        StringEquals: {
          'kms:CallerAccount': Aws.ACCOUNT_ID,
          'kms:ViaService': `dynamodb.${Aws.REGION}.amazonaws.com`,
        },
      },
    }),
  );
  return key;
}
