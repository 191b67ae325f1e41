import { Aws, CfnOutput, RemovalPolicy } from 'aws-cdk-lib';
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
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { NamedStack } from './constructs/named-stack.ts';

/** Waiting callbacks by the time they are due. Sparse: it has only rows with `dueShard` and `dueAt`. */
export const dueIndexName = 'due';

/**
 * Callbacks that have a row, by partner and status, in the order of their states' times. With the end of each, since
 * the table deletes rows some time after it.
 */
export const listedIndexName = 'listed';

export const indexNames = [dueIndexName, listedIndexName] as const;

/** The table and its key, which outlive every deployment of the service. */
export class DataStack extends NamedStack {
  readonly table: Table;

  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      description: `Partner integration service, ${config.stage}: the data`,
      terminationProtection: config.keepsData,
    });
    const removalPolicy = config.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

    this.table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: 'expiresAt',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: config.keepsData,
      removalPolicy,
      ...(config.keepsData
        ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: tableKey(this, removalPolicy) }
        : { encryption: TableEncryption.DEFAULT }),
    });
    this.table.addGlobalSecondaryIndex({
      indexName: dueIndexName,
      partitionKey: { name: 'dueShard', type: AttributeType.STRING },
      sortKey: { name: 'dueAt', type: AttributeType.NUMBER },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    this.table.addGlobalSecondaryIndex({
      indexName: listedIndexName,
      partitionKey: { name: 'listedShard', type: AttributeType.STRING },
      sortKey: { name: 'changedAt', type: AttributeType.NUMBER },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: ['expiresAt'],
    });
    new CfnOutput(this, 'TableName', { value: this.table.tableName });
  }
}

/**
 * The key policy lets every caller of this account use the key, but only through DynamoDB: access to a row decides
 * alone, and no function's role needs a statement (with wildcards) about the key.
 */
function tableKey(scope: Construct, removalPolicy: RemovalPolicy): Key {
  const key = new Key(scope, 'TableKey', {
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
