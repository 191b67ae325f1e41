import { type Stack, Validations } from 'aws-cdk-lib';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import type { StageConfig } from '../config.ts';
import type { Rollouts, Service } from '../service.ts';
import { alarm } from './alarm.ts';
import { allow } from './allow.ts';
import { functionMetric, gatewayFailures, sharedMetric, sumOf } from './metrics.ts';

/** Makes the parts that all deployment groups of a stack share; none in a stage that deploys in place. */
export function makeRollouts(
  stack: Stack,
  { rollout }: StageConfig,
  { applicationName, alarms }: { applicationName: string; alarms: Rollouts['alarms'] },
): Pick<Service, 'rollouts'> {
  if (rollout === 'in place') return {};
  const role = new Role(stack, 'RolloutRole', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
  });
  allow(role, 'cloudwatch', ['DescribeAlarms'], '*');
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'CodeDeploy reads the states of alarms by cloudwatch:DescribeAlarms, which has no resource but *.',
  });
  const application = new LambdaApplication(stack, 'Rollouts', { applicationName });
  const { ALL_AT_ONCE, CANARY_10PERCENT_5MINUTES } = LambdaDeploymentConfig;
  const steps = rollout === 'canary' ? CANARY_10PERCENT_5MINUTES : ALL_AT_ONCE;
  return { rollouts: { application, role, steps, alarms } };
}

/**
 * Functions without a route. The gateway counts the crashes of all others. An alarm takes ten metrics: EndFailedList,
 * which runs after a list has failed twenty times, is not among them.
 */
const workers = [
  'ProcessList',
  'RecordReceipts',
  'ExpireMessages',
  'DispatchMessages',
  'FanOutStates',
  'DeliverCallback',
  'DeliverSlowCallback',
  'ResumeCallbacks',
];

/**
 * One alarm serves all functions, because CloudFormation undoes a deployment as a whole. It sums the failures that any
 * function reports, the gateway's 500 and the crashes of workers, of old and new code together: `Failed` has no version.
 * Deployments that shift all calls at once have none, because they end before an alarm could go off.
 */
export function rollbackAlarms(service: Service): Rollouts['alarms'] {
  const { config } = service;
  if (config.rollout !== 'canary') return [];
  const failures = [
    sharedMetric(config, 'Failed'),
    gatewayFailures(config),
    ...workers.map((id) => functionMetric(config, id, 'Errors')),
  ];
  return [
    alarm(service, 'Rollback', {
      impact: 'A function fails: its deployment is rolled back, or its callers or partners are not served.',
      lookAt: 'the failures of operations and workers on the dashboard',
      runbook: 'deployment-rolled-back',
      metric: sumOf('failed', failures, 'failures'),
      rule: config.alarms.rollback,
      // Outside of deployments the alarms on the API, the queues and the workers notify the engineer on call.
      silent: true,
    }),
  ];
}

/** The alias `live` of a function. CodeDeploy moves it to each new version, and back when functions fail meanwhile. */
export function liveAlias(service: Service, rollouts: Rollouts, fn: LambdaFunction): IFunction {
  const { stack, config } = service;
  const { id } = fn.node;
  const alias = new Alias(stack, `${id}Live`, { aliasName: 'live', version: fn.currentVersion as IVersion });
  // Not AWS's managed policy, which covers every function of the account.
  const moving = ['GetAlias', 'UpdateAlias', 'GetProvisionedConcurrencyConfig'];
  allow(rollouts.role, 'lambda', moving, fn.functionArn, `${fn.functionArn}:${alias.aliasName}`);
  new LambdaDeploymentGroup(stack, `${id}Rollout`, {
    application: rollouts.application,
    deploymentGroupName: id,
    deploymentConfig: rollouts.steps,
    alias,
    role: rollouts.role.withoutPolicyUpdates(),
    alarms: [...rollouts.alarms],
    ignoreAlarmConfiguration: config.ignoreRollbackAlarms ?? false,
    autoRollback: {
      failedDeployment: true,
      stoppedDeployment: true,
      deploymentInAlarm: rollouts.alarms.length > 0,
    },
  });
  // (The casts: CDK's classes and interfaces disagree on whether `role` may be undefined.)
  return alias as IFunction;
}
