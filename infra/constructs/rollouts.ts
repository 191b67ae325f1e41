import { type Stack, Validations } from 'aws-cdk-lib';
import { CfnInsightRule, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { StageConfig } from '../config.ts';
import { rolesIn } from '../dashboard/lines.ts';
import type { Rollouts, Service } from '../service.ts';
import { addAlarm } from './alarm.ts';
import { allow } from './allow.ts';
import { accessLogName, countLines } from './log-group.ts';
import { logMetric } from './metrics.ts';

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
 * One alarm serves all functions, because CloudFormation undoes a deployment as a whole. It goes off when the work of two
 * partners fails, or work that is no one partner's, in old or new code: so failures of one partner alone stop no deployment.
 * Deployments that shift all calls at once have none, because they end before an alarm could go off.
 */
export function rollbackAlarms(service: Service): Rollouts['alarms'] {
  const { stack, config } = service;
  if (config.rollout !== 'canary') return [];
  const ruleName = `${config.namePrefix}-FailingPartners`;
  const rule = new CfnInsightRule(stack, 'FailingPartners', {
    ruleName,
    ruleState: 'ENABLED',
    ruleBody: JSON.stringify(failingPartners(config)),
  });
  const partners = new MathExpression({
    expression: `INSIGHT_RULE_METRIC("${ruleName}", "UniqueContributors")`,
    usingMetrics: {},
  });
  const rollback = addAlarm(service, 'Rollback', {
    impact: 'A function fails: its deployment is rolled back, or its callers or partners are not served.',
    lookAt: 'the failures of operations and workers on the dashboard',
    runbook: 'deployment-rolled-back',
    metric: new MathExpression({
      label: 'failing partners, if more than one, and common failures',
      expression: 'IF(FILL(partners, 0) >= 2, FILL(partners, 0), 0) + FILL(common, 0)',
      usingMetrics: { partners, common: logMetric(config, 'CommonFailures') },
    }),
    // One bad minute can happen to any code (a lost connection). Two are a defect, and they show within the 5 minutes of a
    // canary, also where calls are few. The rule and the metric come from logs, minutes late, and count as 0 until then.
    periodMinutes: 1,
    periods: 5,
    datapoints: 2,
    // Outside of deployments the alarms on the API, the queues and the workers notify the engineer on call.
    silent: true,
  });
  rollback.node.addDependency(rule);
  return [rollback];
}

/**
 * Counts the partners in lines about failures: those of functions, and those of the gateway, which also responds to a
 * crash. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/ContributorInsights-RuleSyntax.html
 */
function failingPartners(config: StageConfig) {
  return {
    Schema: { Name: 'CloudWatchLogRule', Version: 1 },
    LogGroupNames: [`/aws/lambda/${config.namePrefix}-*`, accessLogName(config)],
    LogFormat: 'JSON',
    Contribution: {
      Keys: ['$.partnerId'],
      Filters: [
        { Match: '$.status', In: ['500'] },
        { Match: '$.partnerId', NotIn: ['-', 'wallet', 'unauthenticated'] },
      ],
    },
    AggregateOn: 'Count',
  };
}

/**
 * Counts failures that are no one partner's, of workers and of the authorizer: those without a partner, and crashes. Timeouts
 * are among the failures of partners, since a function ends its work before Lambda would. Call it when all workers are there.
 * https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html describes the lines about crashes.
 */
export function countCommonFailures(service: Service): void {
  if (service.config.rollout !== 'canary') return;
  for (const id of ['AuthorizePartner', ...rolesIn(service).workers]) {
    const logs = service.stack.node.findChild(`${id}Logs`) as LogGroup;
    // One partner's list may need more memory than there is, so of that worker only failed starts count.
    const types = id === 'ProcessSync' ? ['initReport'] : ['initReport', 'report'];
    const isCrash = types.map((type) => `$.type = "platform.${type}"`).join(' || ');
    const pattern = `{ ($.status = "500" && $.partnerId = "-") || ((${isCrash}) && $.record.status = "error") }`;
    countLines(service, logs, { id: `${id}FailsForAll`, name: 'CommonFailures', pattern });
  }
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
