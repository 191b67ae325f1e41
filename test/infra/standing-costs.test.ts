import { expect, test } from 'vitest';
import { standing } from '../../bench/capacity/usage.ts';
import { templatesOf } from './synthesize.ts';

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
