import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { type MetricName, metricNamespace } from '../../shared/platform/logging/metric-names.ts';
import type { StageConfig } from '../config.ts';

/** A metric that a function's own code emits. The statistic is the sum, unless the options name another. */
export function serviceMetric(
  { namePrefix }: StageConfig,
  functionId: string,
  metricName: MetricName,
  options: MetricOptions = {},
): Metric {
  return new Metric({
    statistic: 'Sum',
    ...options,
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { service: namePrefix, function: functionId },
  });
}
