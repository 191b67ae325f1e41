import { expect, it } from 'vitest';
import { propertiesOf, templatesOf } from './synthesize.ts';

const keeping = ['sandbox', 'staging', 'prod'] as const;
const types = [
  ...['BackupVault', 'BackupPlan', 'BackupSelection'].map((type) => `AWS::Backup::${type}`),
  'AWS::Events::Rule',
];

it.each(keeping)('in %s nothing is backed up, or costs, without a vault that gets the copies', (stage) => {
  const { data } = templatesOf(stage);
  expect(data.findParameters('BackupCopyVault')['BackupCopyVault']).toMatchObject({ Default: '' });
  expect(data.findConditions('HasBackupCopyVault')).toEqual({
    HasBackupCopyVault: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'BackupCopyVault' }, ''] }] },
  });
  const conditions = [...types, 'AWS::IAM::Role'].map((type) =>
    Object.values(data.findResources(type)).map(({ Condition }) => Condition),
  );
  // Neither the vault nor the role is deleted while there are backups.
  const copied = ['HasBackupCopyVault'];
  expect(conditions).toEqual([[undefined], copied, copied, copied, [undefined]]);
});

it('every night the table is saved, copied to the other vault, and kept there for a week', () => {
  const { data } = templatesOf('prod');
  const [plan] = propertiesOf(data, 'AWS::Backup::BackupPlan');
  expect(plan.BackupPlan.BackupPlanRule).toMatchObject([
    {
      ScheduleExpression: 'cron(0 1 * * ? *)',
      Lifecycle: { DeleteAfterDays: 2 },
      CopyActions: [
        { DestinationBackupVaultArn: { Ref: 'BackupCopyVault' }, Lifecycle: { DeleteAfterDays: 7 } },
      ],
    },
  ]);
  const [selection] = propertiesOf(data, 'AWS::Backup::BackupSelection');
  // Also a restored table, which is named like the lost one.
  expect(JSON.stringify(selection.BackupSelection.Resources)).toContain(
    ':table/partner-integration-prod-data-Table-*',
  );
});

type Pattern = { detail: { resourceArn: unknown } };

it('a backup or copy of the table that fails sends a notice', () => {
  const { data, service } = templatesOf('prod');
  const [rule] = propertiesOf(data, 'AWS::Events::Rule');
  const { EventPattern, Targets } = rule as { EventPattern: Pattern; Targets: { Arn: unknown }[] };
  expect(EventPattern).toMatchObject({
    source: ['aws.backup'],
    'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
    detail: { state: ['FAILED', 'ABORTED', 'EXPIRED', 'PARTIAL'] },
  });
  expect(JSON.stringify(EventPattern.detail.resourceArn)).toContain('partner-integration-prod-data-Table-');
  expect(JSON.stringify(Targets[0]?.Arn)).toContain(':partner-integration-prod-notices');
  service.hasResourceProperties('AWS::SNS::Topic', { TopicName: 'partner-integration-prod-notices' });
});

it('dev copies nothing', () => {
  const { data } = templatesOf('dev');
  for (const type of types) data.resourceCountIs(type, 0);
  expect(data.findParameters('BackupCopyVault')).toEqual({});
});
