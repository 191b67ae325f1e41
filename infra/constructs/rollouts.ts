import { type Stack, Validations } from 'aws-cdk-lib';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import type { Rollout, StageConfig } from '../config.ts';
import type { Rollouts, Service } from '../service.ts';
import { alarm } from './alarm.ts';
import { failuresOf } from './failures.ts';
import { logicalId } from './logical-id.ts';

const stepsOf: Record<Exclude<Rollout, 'in place'>, () => ILambdaDeploymentConfig> = {
  'all at once': () => LambdaDeploymentConfig.ALL_AT_ONCE,
  canary: () => LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
};

export function makeRollouts(
  stack: Stack,
  { rollout }: StageConfig,
  applicationName: string,
): Rollouts | undefined {
  if (rollout === 'in place') return undefined;
  const role = logicalId(
    new Role(stack, 'RolloutRole', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') }),
  );
  role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'CodeDeploy reads the states of alarms by cloudwatch:DescribeAlarms, which has no resource but *.',
  });
  const application = logicalId(new LambdaApplication(stack, 'Rollouts', { applicationName }));
  return { application, role, steps: stepsOf[rollout]() };
}

/**
 * The alias `live` of a function. CodeDeploy moves it to each new version, and back when the function fails meanwhile.
 * The alarm counts old and new code together: the metric `Failed` has no version.
 */
export function liveAlias(service: Service, rollouts: Rollouts, fn: LambdaFunction): IFunction {
  const { stack, config } = service;
  const { id } = fn.node;
  const alias = logicalId(
    new Alias(stack, `${id}Live`, { aliasName: 'live', version: fn.currentVersion as IVersion }),
  );
  const failing = alarm(service, `${id}Rollback`, {
    impact: `${id} fails: a deployment of it is rolled back, or its callers or partners are not served.`,
    lookAt: `the log of ${id}`,
    runbook: 'deployment-rolled-back',
    metric: failuresOf(service, fn),
    rule: config.alarms.rollback,
    // Outside of deployments the alarms on the API, the queues and the workers notify the engineer on call.
    silent: true,
  });
  // Not AWS's managed policy, which covers every function of the account.
  rollouts.role.addToPolicy(
    new PolicyStatement({
      actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
      resources: [fn.functionArn, `${fn.functionArn}:${alias.aliasName}`],
    }),
  );
  logicalId(
    new LambdaDeploymentGroup(stack, `${id}Rollout`, {
      application: rollouts.application,
      deploymentGroupName: id,
      deploymentConfig: rollouts.steps,
      alias,
      role: rollouts.role.withoutPolicyUpdates(),
      alarms: [failing],
      ignoreAlarmConfiguration: config.ignoreRollbackAlarms ?? false,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    }),
  );
  // (The casts: CDK's classes and interfaces disagree on whether `role` may be undefined.)
  return alias as IFunction;
}
