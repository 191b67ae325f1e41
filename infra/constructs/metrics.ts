import { type DimensionsMap, MathExpression, Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  type MetricName,
  metricNamespace,
  type SharedMetricName,
} from '../../shared/platform/logging/metric-names.ts';
import type { StageConfig } from '../config.ts';
import type { TableInUse } from '../table-in-use.ts';

/** The statistic is the sum, unless the options name another. */
function metric(
  namespace: string,
  metricName: string,
  dimensionsMap: DimensionsMap,
  options?: MetricOptions,
) {
  return new Metric({ statistic: 'Sum', ...options, namespace, metricName, dimensionsMap });
}

/** A metric that our own code emits, of one function. */
export function serviceMetric(stage: StageConfig, id: string, name: MetricName, options?: MetricOptions) {
  return metric(metricNamespace, name, { service: stage.namePrefix, function: id }, options);
}

/** The sum over all functions of the stage, which they emit too: an alarm on it reads one metric. */
export function sharedMetric(stage: StageConfig, name: SharedMetricName, options?: MetricOptions) {
  return metric(metricNamespace, name, { service: stage.namePrefix }, options);
}

export type LambdaMetricName = 'Invocations' | 'Errors' | 'Throttles' | 'Duration' | 'IteratorAge';

/** A Lambda metric of a function in a stack that depends on this one. The function is referred to by its name. */
export function functionMetric(
  stage: StageConfig,
  id: string,
  name: LambdaMetricName,
  options?: MetricOptions,
) {
  return metric('AWS/Lambda', name, { FunctionName: `${stage.namePrefix}-${id}` }, options);
}

/** A metric of the table, or with more dimensions of one of its indexes or operations. */
export function tableMetric(table: TableInUse, name: string, { dimensionsMap, ...options }: MetricOptions) {
  return metric('AWS/DynamoDB', name, { TableName: table.tableName, ...dimensionsMap }, options);
}

/** What metric filters count in logs. */
export type LogMetricName = 'RefusedByGateway' | 'TillsRefused' | 'SendsRefused' | 'CommonFailures';

/** Dimensions of a metric from a log are fields of its lines, which do not name the stage: so it is the namespace. */
export function logMetric({ namePrefix }: StageConfig, name: LogMetricName, options?: MetricOptions) {
  return metric(namePrefix, name, {}, options);
}

/**
 * Everything a function fails at: crashes and timeouts, which Lambda counts, and events that it answered with 500 or
 * returned to its queue, which Lambda takes for success. An event that does both counts twice.
 */
export function failureMetrics(stage: StageConfig, fn: LambdaFunction): Metric[] {
  return [fn.metricErrors(), serviceMetric(stage, fn.node.id, 'Failed')];
}

/** The sum of several metrics. One without data counts as 0. `id` begins the names of the terms in the expression. */
export function sumMetrics(id: string, metrics: readonly Metric[], label?: string): MathExpression {
  return new MathExpression({
    expression: metrics.map((_, n) => `FILL(${id}${n}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, n) => [`${id}${n}`, metric])),
    ...(label === undefined ? {} : { label }),
  });
}
