import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { MetricName } from '../../shared/platform/logging/metric-names.ts';
import { functionMetric, type LambdaMetricName, serviceMetric } from '../constructs/metrics.ts';
import { kebabCase } from '../kebab-case.ts';
import type { Service } from '../service.ts';

/**
 * The lines of graphs, by the ids of functions and queues. An id that is neither in the stack nor among those of stacks that
 * depend on it (`others` and `otherQueues`, known by name alone) fails the synthesis.
 */
export function linesIn(
  { stack, config }: Service,
  others: readonly string[],
  otherQueues: readonly string[],
) {
  const queueByName = (id: string): IQueue => {
    const queueName = `${config.namePrefix}-${kebabCase(id)}`;
    const queueArn = stack.formatArn({ service: 'sqs', resource: queueName });
    return Queue.fromQueueAttributes(stack, `${id}ByName`, { queueArn, queueName });
  };
  const queuesByName = new Map(otherQueues.map((id) => [id, queueByName(id)]));
  const known = (id: string) => (others.includes(id) ? id : stack.node.findChild(id).node.id);
  const emitted = (name: MetricName, id: string, options: MetricOptions): Metric =>
    serviceMetric(config, known(id), name, options);
  const measured = (
    name: LambdaMetricName,
    ids: readonly string[],
    { what = '', ...options }: MetricOptions & { what?: string } = {},
  ): Metric[] =>
    ids.map((id) => functionMetric(config, known(id), name, { label: `${id}${what}`, ...options }));
  const queueOf = (id: string) => queuesByName.get(id) ?? (stack.node.findChild(id) as Queue);
  return {
    /** A metric of our own code: one line for each function that emits it. */
    emitted: (name: MetricName, ...ids: string[]): Metric[] =>
      ids.map((id) => emitted(name, id, { label: ids.length > 1 ? id : name })),
    /** Percentiles and the maximum of a duration. */
    percentiles: (name: MetricName, id: string): Metric[] =>
      ['p50', 'p99', 'Maximum'].map((statistic) => emitted(name, id, { statistic, label: statistic })),
    highest: (name: MetricName, id: string): Metric[] => [
      emitted(name, id, { statistic: 'Maximum', label: name }),
    ],
    invocations: (ids: readonly string[]): Metric[] => measured('Invocations', ids),
    durations: (ids: readonly string[]): Metric[] => measured('Duration', ids, { statistic: 'p99' }),
    errors: (ids: readonly string[]): Metric[] => measured('Errors', ids, { what: ' crashed' }),
    throttles: (ids: readonly string[]): Metric[] => measured('Throttles', ids, { what: ' throttled' }),
    iteratorAge: (...ids: string[]): Metric[] => measured('IteratorAge', ids, { statistic: 'Maximum' }),
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

/** These are neither endpoints nor workers, and have graphs of their own. */
const otherIds = ['AuthorizePartner', 'ServeConsole'];

/** The ids of the stack's functions and queues, by what they do. */
export function rolesIn({ stack }: Service) {
  const functions = stack.node.children.filter((child) => child instanceof LambdaFunction);
  const ids = functions.map(({ node }) => node.id).filter((id) => !otherIds.includes(id));
  const hasRoute = (id: string) => stack.node.tryFindChild(`${id}Route`) !== undefined;
  const queues = stack.node.children.filter((child) => child instanceof Queue).map(({ node }) => node.id);
  return {
    endpoints: ids.filter(hasRoute),
    workers: ids.filter((id) => !hasRoute(id)),
    dlqs: queues.filter((id) => id.endsWith('Dlq')),
  };
}
