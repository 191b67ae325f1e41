import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Service } from '../service.ts';
import { ownMetric } from './own-metric.ts';

/**
 * Whatever a function does wrong: crashes and timeouts, which Lambda sees, and what it answered 500 or handed back
 * to its queue, which looks like success to Lambda. Who does both for one event counts twice.
 */
export function failuresOf(service: Service, fn: LambdaFunction) {
  return (period: Duration): IMetric =>
    new MathExpression({
      label: 'failures',
      // Both are silent while nothing fails.
      expression: 'FILL(crashed, 0) + FILL(failed, 0)',
      usingMetrics: {
        crashed: fn.metricErrors({ period }),
        failed: ownMetric(service.config, fn.node.id, 'Failed', { period }),
      },
      period,
    });
}
