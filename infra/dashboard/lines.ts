import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { MetricName } from '../../shared/runtime/metric-names.ts';
import { ownMetric } from '../constructs/own-metric.ts';
import type { Service } from '../service.ts';

/** What the graphs draw, by the ids of functions and queues. An id that is not in the stack stops the synthesis. */
export function linesOf({ stack, config }: Service) {
  const functionOf = (id: string) => stack.node.findChild(id) as LambdaFunction;
  const queueOf = (id: string) => stack.node.findChild(id) as Queue;
  return {
    /** A metric of the service's own, one line for each function that emits it. */
    own: (name: MetricName, ...functionIds: string[]): Metric[] =>
      functionIds.map((id) =>
        ownMetric(config, functionOf(id).node.id, name, { label: functionIds.length > 1 ? id : name }),
      ),
    /** Percentiles and the maximum of a duration. */
    spread: (name: MetricName, functionId: string): Metric[] =>
      (['p50', 'p99', 'Maximum'] as const).map((statistic) =>
        ownMetric(config, functionOf(functionId).node.id, name, { statistic, label: statistic }),
      ),
    newest: (name: MetricName, functionId: string): Metric[] => [
      ownMetric(config, functionOf(functionId).node.id, name, { statistic: 'Maximum', label: name }),
    ],
    calls: (ids: readonly string[]): Metric[] =>
      ids.map((id) => functionOf(id).metricInvocations({ label: id })),
    slowest: (ids: readonly string[]): Metric[] =>
      ids.map((id) => functionOf(id).metricDuration({ statistic: 'p99', label: id })),
    crashes: (ids: readonly string[]): Metric[] =>
      ids.map((id) => functionOf(id).metricErrors({ label: `${id} crashed` })),
    throttles: (ids: readonly string[]): Metric[] =>
      ids.map((id) => functionOf(id).metricThrottles({ label: id })),
    behindStream: (...ids: string[]): Metric[] =>
      ids.map((id) => functionOf(id).metric('IteratorAge', { statistic: 'Maximum', label: id })),
    waiting: (...ids: string[]): Metric[] =>
      ids.flatMap((id) => [
        queueOf(id).metricApproximateNumberOfMessagesVisible({ label: `${id} waiting` }),
        queueOf(id).metricApproximateNumberOfMessagesNotVisible({ label: `${id} in work` }),
      ]),
    lying: (ids: readonly string[]): Metric[] =>
      ids.map((id) => queueOf(id).metricApproximateNumberOfMessagesVisible({ label: id })),
    age: (...ids: string[]): Metric[] =>
      ids.map((id) => queueOf(id).metricApproximateAgeOfOldestMessage({ label: id })),
  };
}

export type Lines = ReturnType<typeof linesOf>;
