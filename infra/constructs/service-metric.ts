import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type MetricName,
  metricNamespace,
  type SharedMetricName,
} from '../../shared/platform/logging/metric-names.ts';
import type { StageConfig } from '../config.ts';

type Emitter = { readonly service: string; readonly function?: string };

/** A metric that our own code emits. The statistic is the sum, unless the options name another. */
function emittedMetric(dimensionsMap: Emitter, metricName: MetricName, options: MetricOptions): Metric {
  return new Metric({
    statistic: 'Sum',
    ...options,
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { ...dimensionsMap },
  });
}

/** The metric of one function. */
export function serviceMetric(
  { namePrefix }: StageConfig,
  functionId: string,
  metricName: MetricName,
  options: MetricOptions = {},
): Metric {
  return emittedMetric({ service: namePrefix, function: functionId }, metricName, options);
}

/** The sum over all functions of the stage, which they emit too: an alarm on it reads one metric. */
export function sharedMetric(
  { namePrefix }: StageConfig,
  metricName: SharedMetricName,
  options: MetricOptions = {},
): Metric {
  return emittedMetric({ service: namePrefix }, metricName, options);
}

export type LambdaMetricName = 'Invocations' | 'Errors' | 'Throttles' | 'Duration' | 'IteratorAge';

/** A Lambda metric of a function in a stack that depends on this one. The function is referred to by its name. */
export function functionMetric(
  { namePrefix }: StageConfig,
  functionId: string,
  metricName: LambdaMetricName,
  options: MetricOptions = {},
): Metric {
  return new Metric({
    statistic: 'Sum',
    ...options,
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: `${namePrefix}-${functionId}` },
  });
}
