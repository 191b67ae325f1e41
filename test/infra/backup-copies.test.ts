import { expect, it } from 'vitest';
import { templatesOf } from './synthesize.ts';

const keeping = ['sandbox', 'staging', 'prod'] as const;
const types = ['BackupVault', 'BackupPlan', 'BackupSelection'].map((type) => `AWS::Backup::${type}`);

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
  expect(conditions).toEqual([[undefined], ['HasBackupCopyVault'], ['HasBackupCopyVault'], [undefined]]);
});

it('every night the table is saved, copied to the other vault, and kept there for a week', () => {
  const { data } = templatesOf('prod');
  const [plan] = Object.values(data.findResources('AWS::Backup::BackupPlan'));
  expect(plan?.['Properties'].BackupPlan.BackupPlanRule).toMatchObject([
    {
      ScheduleExpression: 'cron(0 1 * * ? *)',
      Lifecycle: { DeleteAfterDays: 2 },
      CopyActions: [
        { DestinationBackupVaultArn: { Ref: 'BackupCopyVault' }, Lifecycle: { DeleteAfterDays: 7 } },
      ],
    },
  ]);
  const [selection] = Object.values(data.findResources('AWS::Backup::BackupSelection'));
  // Also a restored table, which is named like the lost one.
  expect(JSON.stringify(selection?.['Properties'].BackupSelection.Resources)).toContain(
    ':table/partner-integration-prod-data-Table-*',
  );
});

it('dev copies nothing', () => {
  const { data } = templatesOf('dev');
  for (const type of types) data.resourceCountIs(type, 0);
  expect(data.findParameters('BackupCopyVault')).toEqual({});
});
