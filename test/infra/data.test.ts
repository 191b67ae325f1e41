import { Stack } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { secondaryIndexes } from '../support/table.ts';
import { appOf, resource, templatesOf } from './synthesize.ts';

function tableOf(stage: (typeof stages)[number]) {
  return resource(templatesOf(stage).data, 'AWS::DynamoDB::Table', 'Table');
}

it.each(stages)(
  'in %s the table has its keys, its stream, its expiry, its recovery and two sparse indexes, and no fixed capacity',
  (stage) => {
    expect(tableOf(stage)).toMatchObject({
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
    expect(tableOf(stage).GlobalSecondaryIndexes).toEqual(secondaryIndexes);
  },
);

it.each(['sandbox', 'staging', 'prod'] as const)(
  '%s keeps its table: retained, protected, encrypted with a customer managed key',
  (stage) => {
    const table = tableOf(stage);
    templatesOf(stage).data.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
    });
    expect(table.DeletionProtectionEnabled).toBe(true);
    expect(table.SSESpecification).toEqual({
      SSEEnabled: true,
      SSEType: 'KMS',
      KMSMasterKeyId: { 'Fn::GetAtt': ['TableKey', 'Arn'] },
    });
    templatesOf(stage).data.hasResource('AWS::KMS::Key', {
      DeletionPolicy: 'Retain',
      Properties: { EnableKeyRotation: true },
    });
  },
);

it.each(stages)('cdk destroy removes no stack of %s, unless the stage keeps no data', (stage) => {
  const stacks = appOf(stage).app.node.children.filter((child) => child instanceof Stack);
  expect(stacks.length).toBeGreaterThanOrEqual(3);
  expect(stacks.filter(({ terminationProtection }) => terminationProtection)).toEqual(
    stage === 'dev' ? [] : stacks,
  );
});

it('the key of the table can be used only through DynamoDB', () => {
  const statements = resource(templatesOf('prod').data, 'AWS::KMS::Key', 'TableKey').KeyPolicy.Statement;
  const open = statements.filter((s: { Principal: { AWS: unknown } }) => s.Principal.AWS === '*');
  expect(open).toHaveLength(1);
  expect(open[0].Condition.StringEquals).toEqual({
    'kms:CallerAccount': { Ref: 'AWS::AccountId' },
    'kms:ViaService': { 'Fn::Join': ['', ['dynamodb.', { Ref: 'AWS::Region' }, '.amazonaws.com']] },
  });
});

it.each(['sandbox', 'staging', 'prod'] as const)('%s keeps its logs when its stacks are deleted', (stage) => {
  const groups = templatesOf(stage).all.findResources('AWS::Logs::LogGroup');
  expect(Object.keys(groups).length).toBeGreaterThan(30);
  for (const [id, { DeletionPolicy }] of Object.entries(groups))
    expect(DeletionPolicy, id).toBe('RetainExceptOnCreate');
});

it('dev is disposable: deleting its stacks leaves nothing behind', () => {
  const { data, service, selfService, sandbox } = templatesOf('dev');
  data.resourceCountIs('AWS::KMS::Key', 0);
  expect(tableOf('dev').DeletionProtectionEnabled).toBe(false);
  for (const template of [data, service, selfService, ...(sandbox ? [sandbox] : [])]) {
    for (const [id, made] of Object.entries<Record<string, unknown>>(template.toJSON()['Resources'])) {
      expect([undefined, 'Delete'], id).toContain(made['DeletionPolicy']);
    }
  }
});
