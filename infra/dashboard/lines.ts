import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { MetricName } from '../../shared/platform/logging/metric-names.ts';
import { functionMetric } from '../constructs/function-metric.ts';
import { serviceMetric } from '../constructs/service-metric.ts';
import type { Service } from '../service.ts';

/** The lines of graphs, by the ids of functions and queues. An id that is not in the stack fails the synthesis. */
export function linesIn({ stack, config }: Service) {
  const functionOf = (id: string) => stack.node.findChild(id) as LambdaFunction;
  const queueOf = (id: string) => stack.node.findChild(id) as Queue;
  return {
    /** A metric of our own code: one line for each function that emits it. */
    emitted: (name: MetricName, ...functionIds: string[]): Metric[] =>
      functionIds.map((id) =>
        serviceMetric(config, functionOf(id).node.id, name, { label: functionIds.length > 1 ? id : name }),
      ),
    /** Percentiles and the maximum of a duration. */
    percentiles: (name: MetricName, functionId: string): Metric[] =>
      (['p50', 'p99', 'Maximum'] as const).map((statistic) =>
        serviceMetric(config, functionOf(functionId).node.id, name, { statistic, label: statistic }),
      ),
    highest: (name: MetricName, functionId: string): Metric[] => [
      serviceMetric(config, functionOf(functionId).node.id, name, { statistic: 'Maximum', label: name }),
    ],
    /** Functions of a stack that depends on this one, by name. */
    otherInvocations: (ids: readonly string[]): Metric[] =>
      ids.map((id) => functionMetric(config, id, 'Invocations', { label: id })),
    otherDurations: (ids: readonly string[]): Metric[] =>
      ids.map((id) => functionMetric(config, id, 'Duration', { statistic: 'p99', label: id })),
    otherThrottledOrCrashed: (id: string): Metric[] => [
      functionMetric(config, id, 'Throttles', { label: 'throttled' }),
      functionMetric(config, id, 'Errors', { label: 'crashed' }),
    ],
    otherEmitted: (name: MetricName, ids: readonly string[]): Metric[] =>
      ids.map((id) => serviceMetric(config, id, name, { label: id })),
    invocations: (ids: readonly string[]): Metric[] =>
      ids.map((id) => functionOf(id).metricInvocations({ label: id })),
    durations: (ids: readonly string[]): Metric[] =>
      ids.map((id) => functionOf(id).metricDuration({ statistic: 'p99', label: id })),
    errors: (ids: readonly string[]): Metric[] =>
      ids.map((id) => functionOf(id).metricErrors({ label: `${id} crashed` })),
    throttles: (ids: readonly string[]): Metric[] =>
      ids.map((id) => functionOf(id).metricThrottles({ label: id })),
    iteratorAge: (...ids: string[]): Metric[] =>
      ids.map((id) => functionOf(id).metric('IteratorAge', { statistic: 'Maximum', label: id })),
    depth: (...ids: string[]): Metric[] =>
      ids.flatMap((id) => [
        queueOf(id).metricApproximateNumberOfMessagesVisible({ label: `${id} waiting` }),
        queueOf(id).metricApproximateNumberOfMessagesNotVisible({ label: `${id} in flight` }),
      ]),
    visible: (ids: readonly string[]): Metric[] =>
      ids.map((id) => queueOf(id).metricApproximateNumberOfMessagesVisible({ label: id })),
    age: (...ids: string[]): Metric[] =>
      ids.map((id) => queueOf(id).metricApproximateAgeOfOldestMessage({ label: id })),
  };
}

export type Lines = ReturnType<typeof linesIn>;
