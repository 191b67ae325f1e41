import { Aws, CfnCondition, CfnParameter, Fn, type Stack, Validations } from 'aws-cdk-lib';
import { CfnBackupPlan, CfnBackupSelection, CfnBackupVault } from 'aws-cdk-lib/aws-backup';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

/** Each backup has the whole table, so these are how often it is stored: here, and in the other vault. */
const keptDays = { here: 2, there: 7 } as const;

/**
 * A backup every night, copied to a vault in another region or account, whose ARN is a parameter. docs/deploying.md says
 * what that vault needs. Without one there is no plan, and nothing costs. The vault here and the role always exist: AWS
 * deletes no vault that has backups, and needs the role to delete them.
 */
export function addBackupCopies(stack: Stack, { namePrefix }: { namePrefix: string }): void {
  const vaultArn = new CfnParameter(stack, 'BackupCopyVault', {
    description:
      'The ARN of a backup vault in another region or account that gets a copy every night. Empty: none.',
    default: '',
    allowedPattern: '|arn:aws:backup:[a-z0-9-]+:\\d{12}:backup-vault:[\\w-]+',
  }).valueAsString;
  const copied = new CfnCondition(stack, 'HasBackupCopyVault', {
    expression: Fn.conditionNot(Fn.conditionEquals(vaultArn, '')),
  });
  const copies = new Construct(stack, 'BackupCopies');
  const vault = new CfnBackupVault(copies, 'Vault', { backupVaultName: `${namePrefix}-copied` });
  const plan = new CfnBackupPlan(copies, 'Plan', {
    backupPlan: {
      backupPlanName: `${namePrefix}-copies`,
      backupPlanRule: [
        {
          ruleName: 'EveryNight',
          targetBackupVault: vault.ref,
          scheduleExpression: 'cron(0 1 * * ? *)',
          lifecycle: { deleteAfterDays: keptDays.here },
          copyActions: [
            { destinationBackupVaultArn: vaultArn, lifecycle: { deleteAfterDays: keptDays.there } },
          ],
        },
      ],
    },
  });
  const selection = new CfnBackupSelection(copies, 'Selection', {
    backupPlanId: plan.ref,
    backupSelection: {
      selectionName: 'Table',
      iamRoleArn: backupRole(copies).roleArn,
      // The pattern also fits the name of a restored table that replaces it.
      resources: [`arn:aws:dynamodb:${Aws.REGION}:${Aws.ACCOUNT_ID}:table/${namePrefix}-data-Table-*`],
    },
  });
  plan.cfnOptions.condition = copied;
  selection.cfnOptions.condition = copied;
}

/** AWS says of its own policy that a role for backups of DynamoDB needs what is in it. */
function backupRole(scope: Construct): Role {
  const role = new Role(scope, 'BackupRole', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: [
      ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSBackupServiceRolePolicyForBackup'),
    ],
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    reason:
      'https://docs.aws.amazon.com/aws-backup/latest/devguide/advanced-ddb-backup.html asks for this policy; AWS adds to it what AWS Backup needs next.',
  });
  return role;
}
