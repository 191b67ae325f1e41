import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type MetricName,
  metricNamespace,
  type SharedMetricName,
} from '../../shared/platform/logging/metric-names.ts';
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

/** The sum over all functions of the stage, which they emit too: an alarm on it reads one metric. */
export function sharedMetric(
  { namePrefix }: StageConfig,
  metricName: SharedMetricName,
  options: MetricOptions = {},
): Metric {
  return new Metric({
    statistic: 'Sum',
    ...options,
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { service: namePrefix },
  });
}
