import type { Duration } from 'aws-cdk-lib';
import type { IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Service } from '../service.ts';
import { serviceMetric } from './service-metric.ts';
import { sumOf } from './sum-of.ts';

/**
 * Everything a function fails at: crashes and timeouts, which Lambda counts, and events that it answered with 500 or
 * returned to its queue, which Lambda takes for success. An event that does both counts twice.
 */
export function failureMetrics({ config }: Service, fn: LambdaFunction): Metric[] {
  return [fn.metricErrors(), serviceMetric(config, fn.node.id, 'Failed')];
}

export function failuresOf(service: Service, fn: LambdaFunction) {
  return (period: Duration): IMetric =>
    sumOf('failed', failureMetrics(service, fn), { period, label: 'failures' });
}
