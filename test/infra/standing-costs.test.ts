import { expect, test } from 'vitest';
import { standing } from '../../bench/capacity/usage.ts';
import { appOf, templatesOf } from './synthesize.ts';

/** The types that cost something while nobody uses the service, and are in the model. */
const inModel = [
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::CloudWatch::InsightRule',
  'AWS::KMS::Key',
  'AWS::Lambda::EventSourceMapping',
];

/** The types that cost nothing but by use: a composite alarm or an alarm on an anomaly is none of them. */
const freeWhileIdle = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Authorizer',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  // Those of a stage without a vault for copies do not exist.
  'AWS::Backup::BackupPlan',
  'AWS::Backup::BackupSelection',
  'AWS::Backup::BackupVault',
  // Without actions. https://aws.amazon.com/aws-cost-management/aws-budgets/pricing/
  'AWS::Budgets::Budget',
  // For Lambda. https://aws.amazon.com/codedeploy/pricing/
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::DynamoDB::Table',
  'AWS::Events::Rule',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::Logs::LogGroup',
  // The metric of a filter costs while it has data.
  'AWS::Logs::MetricFilter',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
];

test.each(['prod', 'sandbox'] as const)('what stands in %s is free while idle, or in the model', (stage) => {
  const { stacks } = appOf(stage).app.synth();
  const templates: { Resources: Record<string, { Type: string }> }[] = stacks.map(({ template }) => template);
  const types = templates.flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type));
  expect(types.length).toBeGreaterThan(400);
  const known = new Set([...inModel, ...freeWhileIdle]);
  expect(types.filter((type) => !known.has(type))).toEqual([]);
});

test.each(['prod', 'sandbox'] as const)(
  'the capacity model charges what stands in the templates of %s',
  (stage) => {
    const { all, data } = templatesOf(stage);
    const count = (type: string) => Object.keys(all.findResources(type)).length;
    const alarms = Object.values(all.findResources('AWS::CloudWatch::Alarm'));
    // An alarm without a list of metrics has exactly one.
    const metrics = alarms.map(({ Properties }): number => {
      const of: { MetricStat?: object; Expression?: string }[] = Properties['Metrics'] ?? [
        { MetricStat: {} },
      ];
      const isPaid = ({ MetricStat, Expression }: (typeof of)[number]) =>
        MetricStat || Expression?.startsWith('INSIGHT_RULE_METRIC');
      return of.filter(isPaid).length;
    });
    const mappings = Object.values(all.findResources('AWS::Lambda::EventSourceMapping'));
    expect(standing[stage]).toEqual({
      alarms: metrics.reduce((sum, of) => sum + of),
      insightRules: count('AWS::CloudWatch::InsightRule'),
      dashboards: count('AWS::CloudWatch::Dashboard'),
      keys: count('AWS::KMS::Key') + Object.keys(data.findResources('AWS::KMS::Key')).length,
      polledQueues: mappings.filter(({ Properties }) => Properties.StartingPosition === undefined).length,
    });
  },
);
