import { Aws, CfnCondition, CfnParameter, Fn, type Stack, Validations } from 'aws-cdk-lib';
import { CfnBackupPlan, CfnBackupSelection, CfnBackupVault } from 'aws-cdk-lib/aws-backup';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { noticesTopicName } from './alarm-topic.ts';

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
  // The pattern also fits the name of a restored table that replaces it.
  const tables = `arn:aws:dynamodb:${Aws.REGION}:${Aws.ACCOUNT_ID}:table/${namePrefix}-data-Table-`;
  const selection = new CfnBackupSelection(copies, 'Selection', {
    backupPlanId: plan.ref,
    backupSelection: {
      selectionName: 'Table',
      iamRoleArn: backupRole(copies).roleArn,
      resources: [`${tables}*`],
    },
  });
  for (const part of [plan, selection, failureRule(copies, { namePrefix, tables })])
    part.cfnOptions.condition = copied;
}

/**
 * A notice when a night's backup or its copy fails. AWS tells of a job's state within minutes, but only as an event:
 * https://docs.aws.amazon.com/aws-backup/latest/devguide/eventbridge.html
 */
function failureRule(
  scope: Construct,
  { namePrefix, tables }: { namePrefix: string; tables: string },
): CfnRule {
  const sentence =
    'The nightly backup of <table>, or its copy, has failed (<job>: <state>). If the region is lost, so is what was stored since the last one. Look at: https://console.aws.amazon.com/backup, Jobs.';
  return new CfnRule(scope, 'Failed', {
    description: 'Sends a notice when a backup of the table, or the copy of one, fails',
    eventPattern: {
      source: ['aws.backup'],
      'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
      detail: {
        state: ['FAILED', 'ABORTED', 'EXPIRED', 'PARTIAL'],
        resourceArn: [{ prefix: tables }],
      },
    },
    targets: [
      {
        id: 'Notices',
        // The topic is in the stack of the service, which is deployed after this one.
        arn: `arn:aws:sns:${Aws.REGION}:${Aws.ACCOUNT_ID}:${noticesTopicName(namePrefix)}`,
        inputTransformer: {
          inputPathsMap: { table: '$.detail.resourceArn', job: '$.detail-type', state: '$.detail.state' },
          inputTemplate: JSON.stringify(sentence),
        },
      },
    ],
  });
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
