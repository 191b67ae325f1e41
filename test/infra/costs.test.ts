import { expect, it } from 'vitest';
import { standing } from '../../bench/capacity/usage.ts';
import { stages } from '../../infra/config.ts';
import { appOf, propertiesOf, templatesOf } from './synthesize.ts';

it.each(stages)('every stack of %s has the tag by which its costs are counted', (stage) => {
  const { stacks } = appOf(stage).app.synth();
  for (const { tags, stackName } of stacks)
    expect(tags, stackName).toEqual({ service: `partner-integration-${stage}` });
});

it.each([
  ['sandbox', 50],
  ['staging', 50],
  ['prod', 500],
] as const)(
  '%s has a budget of %d dollars a month, for what has its tag; notices say when it is used up',
  (stage, amount) => {
    const [budget] = propertiesOf(templatesOf(stage).service, 'AWS::Budgets::Budget');
    expect(budget).toEqual({
      Budget: {
        BudgetType: 'COST',
        TimeUnit: 'MONTHLY',
        BudgetLimit: { Amount: amount, Unit: 'USD' },
        CostFilters: { TagKeyValue: [`user:service$partner-integration-${stage}`] },
      },
      NotificationsWithSubscribers: [
        ['ACTUAL', 80],
        ['FORECASTED', 100],
      ].map(([NotificationType, Threshold]) => ({
        Notification: { NotificationType, ComparisonOperator: 'GREATER_THAN', Threshold },
        Subscribers: [{ SubscriptionType: 'SNS', Address: { Ref: 'Notices' } }],
      })),
    });
  },
);

it('dev has no budget', () => {
  templatesOf('dev').service.resourceCountIs('AWS::Budgets::Budget', 0);
});

it.each(['prod', 'sandbox'] as const)(
  'the capacity model counts what %s pays for without traffic',
  (stage) => {
    const { data, all } = templatesOf(stage);
    const found = (type: string) => [...propertiesOf(data, type), ...propertiesOf(all, type)];
    const metricsOf = ({ Metrics = [{ MetricStat: {} }] }: { Metrics?: { MetricStat?: object }[] }) =>
      Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length;
    const alarms = found('AWS::CloudWatch::Alarm');
    expect({
      alarms: alarms.reduce((sum, alarm) => sum + metricsOf(alarm), 0),
      insightRules: found('AWS::CloudWatch::InsightRule').length,
      dashboards: found('AWS::CloudWatch::Dashboard').length,
      keys: found('AWS::KMS::Key').length,
      polledQueues: found('AWS::Lambda::EventSourceMapping').filter((one) => !one.StartingPosition).length,
    }).toEqual(standing[stage]);
  },
);
