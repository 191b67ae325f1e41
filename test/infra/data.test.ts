import { Stack } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { stages } from '../../infra/config.ts';
import { secondaryIndexes } from '../support/table.ts';
import { appOf, templatesOf } from './synthesize.ts';

function tableOf(stage: (typeof stages)[number]) {
  return templatesOf(stage).data.findResources('AWS::DynamoDB::Table')['Table'];
}

it.each(stages)(
  'in %s the table has its keys, its stream, its expiry and its recovery, and no fixed capacity',
  (stage) => {
    expect(tableOf(stage)?.['Properties']).toMatchObject({
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  },
);

it.each(stages)(
  'in %s callbacks are found by due time, and by status: two sparse indexes, of keys and ends',
  (stage) => {
    expect(tableOf(stage)?.['Properties'].GlobalSecondaryIndexes).toEqual(secondaryIndexes);
  },
);

it.each(['sandbox', 'staging', 'prod'] as const)(
  '%s keeps its table: retained, protected, encrypted with a customer managed key',
  (stage) => {
    const table = tableOf(stage);
    expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(table?.['Properties'].DeletionProtectionEnabled).toBe(true);
    expect(table?.['Properties'].SSESpecification).toEqual({
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
  const key = templatesOf('prod').data.findResources('AWS::KMS::Key')['TableKey'];
  const statements = key?.['Properties'].KeyPolicy.Statement;
  const open = statements.filter((s: { Principal: { AWS: unknown } }) => s.Principal.AWS === '*');
  expect(open).toHaveLength(1);
  expect(open[0].Condition.StringEquals).toEqual({
    'kms:CallerAccount': { Ref: 'AWS::AccountId' },
    'kms:ViaService': { 'Fn::Join': ['', ['dynamodb.', { Ref: 'AWS::Region' }, '.amazonaws.com']] },
  });
});

it('dev is disposable: deleting its stacks leaves nothing behind', () => {
  const { data, service, selfService, sandbox } = templatesOf('dev');
  data.resourceCountIs('AWS::KMS::Key', 0);
  expect(tableOf('dev')?.['Properties'].DeletionProtectionEnabled).toBe(false);
  for (const template of [data, service, selfService, ...(sandbox ? [sandbox] : [])]) {
    for (const [id, resource] of Object.entries<Record<string, unknown>>(template.toJSON()['Resources'])) {
      expect([undefined, 'Delete'], id).toContain(resource['DeletionPolicy']);
    }
  }
});
