import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageConfig } from '../config.ts';

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
