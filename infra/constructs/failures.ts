import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Service } from '../service.ts';
import { serviceMetric } from './service-metric.ts';

/**
 * Everything a function fails at: crashes and timeouts, which Lambda counts, and events that it answered with 500 or
 * returned to its queue, which Lambda takes for success. An event that does both counts twice.
 */
export function failuresOf(service: Service, fn: LambdaFunction) {
  return (period: Duration): IMetric =>
    new MathExpression({
      label: 'failures',
      // Neither has data while nothing fails.
      expression: 'FILL(crashed, 0) + FILL(failed, 0)',
      usingMetrics: {
        crashed: fn.metricErrors({ period }),
        failed: serviceMetric(service.config, fn.node.id, 'Failed', { period }),
      },
      period,
    });
}
